package io.parley.loadtest.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.samskivert.mustache.Mustache;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;

/**
 * Renders a run as one HTML page without external resources: styles, scripts and data are
 * included. The page's Content-Security-Policy forbids every script except its own two.
 */
final class HtmlReport {

	private static final String CHARTS = "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";

	private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm z", Locale.ENGLISH);

	private HtmlReport() {
	}

	static String of(RunReport report) {
		String library = resource(CHARTS).replaceAll("//# sourceMappingURL=.*", "");
		String drawing = resource("report.js");
		Map<String, Object> page = Map.ofEntries(Map.entry("report", report),
				Map.entry("state", report.passed() ? "passed" : "failed"),
				Map.entry("started", MINUTE.format(report.startedAt().atZone(ZoneId.systemDefault()))),
				Map.entry("took", Figures.text(report.took())), Map.entry("metrics", metrics(report.metrics())),
				Map.entry("parts", report.parts().stream().map(HtmlReport::part).toList()),
				Map.entry("charts", charts(report)), Map.entry("style", resource("report.css")),
				Map.entry("library", library), Map.entry("drawing", drawing),
				Map.entry("scripts", hash(library) + " " + hash(drawing)));
		return Mustache.compiler().emptyStringIsFalse(true).compile(resource("report.html")).execute(page);
	}

	private static List<Map<String, Object>> metrics(List<Metric> metrics) {
		return metrics.stream()
			.map((metric) -> Map.<String, Object>of("metric", metric, "text", Figures.text(metric.value())))
			.toList();
	}

	private static Map<String, Object> part(Part part) {
		return switch (part) {
			case Table table -> Map.of("table", table(table));
			case Chart chart -> Map.of("chart",
					Map.of("title", chart.title(), "empty",
							chart.series().stream().allMatch((series) -> series.x().isEmpty()), "names",
							chart.series().stream().map(Series::name).collect(Collectors.joining(", "))));
			case Note note -> Map.of("paragraph", note);
		};
	}

	private static Map<String, Object> table(Table table) {
		IntFunction<String> side = (column) -> TextTable.isRight(table, column) ? "figure" : "";
		List<List<String>> texts = TextTable.rows(table);
		int columns = table.columns().size();
		return Map
			.of("title", table.title(), "note", table.note(), "head",
					IntStream.range(0, columns)
						.mapToObj((column) -> Map.of("text", table.columns().get(column), "side", side.apply(column)))
						.toList(),
					"rows",
					IntStream.range(0, texts.size())
						.mapToObj((row) -> Map.of("cells", IntStream.range(0, columns)
							.mapToObj((column) -> Map.of("text", texts.get(row).get(column), "side", side.apply(column),
									"exact", exact(TextTable.cells(table, column).get(row))))
							.toList()))
						.toList());
	}

	/**
	 * Shows all digits of a rounded number as a tooltip.
	 */
	private static String exact(Object cell) {
		return (cell instanceof Double number) ? number.toString() : "";
	}

	/**
	 * Returns the charts in the order of the page, as JSON that cannot close the
	 * surrounding script element.
	 */
	private static String charts(RunReport report) {
		List<Chart> charts = report.parts().stream().filter(Chart.class::isInstance).map(Chart.class::cast).toList();
		return JsonMapper.shared().writeValueAsString(charts).replace("<", "\\u003c").replace("&", "\\u0026");
	}

	private static String hash(String script) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
			return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String resource(String name) {
		try {
			return new ClassPathResource(name, HtmlReport.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
