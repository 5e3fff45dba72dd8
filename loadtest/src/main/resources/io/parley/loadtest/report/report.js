"use strict";
// Draws each chart of the page with one look, in the colours that the style sheet has now.
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
			// Of a logarithmic axis only the tens have room.
			callback: (value) => !described.logarithmic || Number.isInteger(Number(Math.log10(value).toFixed(6)))
				? figure(value) : null
		}
	};
}

// What was not measured has no point, and a logarithmic axis has no zero.
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
		// On paper without colours the marks tell the lines apart.
		pointStyle: ["circle", "rect", "triangle", "rectRot", "star", "cross", "crossRot", "dash"][n % 8],
		pointRadius: points.length > 40 ? 0 : 3, pointHoverRadius: 5, tension: 0
	};
}

function options(chart, colours) {
	const x = axis(chart.x, colours);
	x.beginAtZero = chart.series.some((series) => series.x.some((value) => value === 0));
	x.grid.display = false;
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

// A chart without a neighbour takes the whole width.
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
