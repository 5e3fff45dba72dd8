"use strict";
// Draws all charts of the page in the same style, with the current colours of the style sheet.
const charts = JSON.parse(document.getElementById("charts").textContent);
const drawn = [];

function style(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function figure(value) {
	return Number(value).toLocaleString("en-US", { maximumSignificantDigits: 4 });
}

function axis(described, colours) {
	return {
		type: described.logarithmic ? "logarithmic" : "linear",
		beginAtZero: true,
		title: { display: true, text: described.label, color: colours.quiet },
		grid: { color: colours.line, drawTicks: false },
		border: { display: false },
		ticks: {
			color: colours.quiet, padding: 6, maxRotation: 0,
			callback(value, n, ticks) {
				const shown = described.logarithmic ? labelled(value, this) : !crowded(n, ticks);
				return shown ? figure(value) : null;
			}
		}
	};
}

// The last tick, at the end of the data, may be too close to the one before it.
function crowded(n, ticks) {
	return n > 1 && n === ticks.length - 1 && ticks[n].value - ticks[n - 1].value < 0.6 * (ticks[1].value - ticks[0].value);
}

// A logarithmic axis has labels at 1, 10, 100; a short one also at 2 and 5.
function labelled(value, scale) {
	const first = Number((value / 10 ** Math.floor(Math.log10(value) + 1e-9)).toFixed(6));
	return first === 1 || (scale.max / scale.min <= 200 && (first === 2 || first === 5));
}

// Missing values have no point, and a logarithmic axis has no zero.
function shown(value, described) {
	return Number.isFinite(value) && (value > 0 || !described.logarithmic);
}

function line(chart, series, n, colours) {
	const colour = colours.series[n % colours.series.length];
	const points = series.x.map((x, i) => ({ x, y: series.y[i] }))
		.filter((point) => shown(point.x, chart.x) && shown(point.y, chart.y));
	return {
		label: series.name, data: points, borderColor: colour, backgroundColor: colour, borderWidth: 2,
		borderDash: n < colours.series.length ? [] : [6, 4],
		// On paper without colours, the marks distinguish the lines.
		pointStyle: ["circle", "rect", "triangle", "rectRot", "star", "cross", "crossRot", "dash"][n % 8],
		pointRadius: points.length > 25 ? 0 : 3, pointHoverRadius: 5, tension: 0
	};
}

function options(chart, colours) {
	const x = axis(chart.x, colours);
	const values = chart.series.flatMap((series) => series.x).filter(Number.isFinite);
	// A time axis begins at zero, an axis for percentiles from 50 to 100 does not.
	x.beginAtZero = !chart.x.logarithmic && Math.min(...values) < Math.max(...values) / 4;
	x.grid.display = false;
	x.bounds = "data";
	return {
		animation: false, responsive: true, maintainAspectRatio: false,
		interaction: { mode: "nearest", axis: "x", intersect: false },
		scales: { x, y: axis(chart.y, colours) },
		plugins: {
			legend: {
				display: chart.series.length > 1, position: "bottom", align: "start",
				labels: { color: colours.text, usePointStyle: true, boxHeight: 7, padding: 14 }
			},
			tooltip: {
				callbacks: {
					title: (items) => chart.x.label + ": " + figure(items[0].parsed.x),
					label: (item) => item.dataset.label + ": " + figure(item.parsed.y)
				}
			}
		}
	};
}

function draw() {
	const colours = {
		text: style("--text"), quiet: style("--quiet"), line: style("--line"), series: style("--series").split(/, */)
	};
	const measured = charts.filter((chart) => chart.series.some((series) => series.x.length > 0));
	drawn.splice(0).forEach((chart) => chart.destroy());
	Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
	document.querySelectorAll("canvas").forEach((canvas, n) => {
		const chart = measured[n];
		const datasets = chart.series.map((series, i) => line(chart, series, i, colours));
		drawn.push(new Chart(canvas, { type: "scatter", data: { datasets: datasets.map((one) => ({ showLine: true, ...one })) },
			options: options(chart, colours) }));
	});
}

// A chart without a neighbour fills the whole width.
function widen() {
	let before = 0;
	document.querySelectorAll("main > section").forEach((section) => {
		const chart = section.classList.contains("chart");
		const next = section.nextElementSibling;
		before = chart ? before + 1 : 0;
		section.classList.toggle("alone", chart && before % 2 === 1 && !(next && next.classList.contains("chart")));
	});
}

widen();
draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
addEventListener("beforeprint", draw);
addEventListener("afterprint", draw);
