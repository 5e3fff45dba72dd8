package io.parley.loadtest.report;

import java.io.IOException;
import java.io.InputStream;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Fact;
import io.parley.loadtest.report.RunReport.Metric;

/**
 * Renders a run as one HTML page without external resources: styles, scripts and data are
 * included. The page's Content-Security-Policy forbids every script except its own two.
 */
final class HtmlReport {

	private static final String CHARTS = "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";

	private static final Pattern SLOT = Pattern.compile("\\{\\{(\\w+)}}");

	private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm z", Locale.ENGLISH);

	private HtmlReport() {
	}

	static String of(RunReport report) {
		String library = resource(CHARTS).replaceAll("//# sourceMappingURL=.*", "");
		String drawing = resource("report.js");
		Map<String, String> content = Map.ofEntries(Map.entry("title", Html.escape(report.title())),
				Map.entry("name", Html.escape(report.name())),
				Map.entry("state", report.passed() ? "passed" : "failed"),
				Map.entry("started", Html.escape(MINUTE.format(report.startedAt().atZone(ZoneId.systemDefault())))),
				Map.entry("took", Html.escape(Figures.text(report.took()))),
				Map.entry("verdict", Html.escape(report.verdict())), Map.entry("metrics", metrics(report.metrics())),
				Map.entry("parts", report.parts().stream().map(HtmlParts::of).collect(Collectors.joining())),
				Map.entry("environment", environment(report.environment())),
				Map.entry("command", Html.escape(report.command())), Map.entry("data", data(report)),
				Map.entry("style", resource("report.css")), Map.entry("library", library),
				Map.entry("drawing", drawing), Map.entry("scripts", hash(library) + " " + hash(drawing)));
		// Replace all slots in one pass, because content of the run may contain text that
		// looks like a slot.
		return SLOT.matcher(resource("report.html"))
			.replaceAll((slot) -> Matcher.quoteReplacement(content.getOrDefault(slot.group(1), "")));
	}

	private static String metrics(List<Metric> metrics) {
		return metrics.stream()
			.map((metric) -> """
					<div class="kpi"><dt>%s</dt><dd title="%s">%s<small>%s</small></dd></div>
					""".formatted(Html.escape(metric.name()), metric.value(), Figures.text(metric.value()),
					Html.escape(metric.unit())))
			.collect(Collectors.joining());
	}

	private static String environment(List<Fact> facts) {
		return facts.stream()
			.map((fact) -> "<div><dt>%s</dt><dd>%s</dd></div>\n".formatted(Html.escape(fact.name()),
					Html.escape(fact.value())))
			.collect(Collectors.joining());
	}

	/**
	 * Returns the charts in the order of the page, for the script.
	 */
	private static String data(RunReport report) {
		List<Chart> charts = report.parts().stream().filter(Chart.class::isInstance).map(Chart.class::cast).toList();
		return Html.script(charts);
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
		try (InputStream stream = HtmlReport.class.getResourceAsStream(name)) {
			if (stream == null) {
				throw new IllegalStateException(name + " is not in the jar");
			}
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
