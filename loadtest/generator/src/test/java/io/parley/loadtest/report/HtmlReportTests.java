package io.parley.loadtest.report;

import java.util.List;
import java.util.regex.Pattern;

import com.samskivert.mustache.Escapers;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Fact;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HtmlReportTests {

	private static final String NASTY = "</script><img src=x onerror=alert(1)>\"'&{{command}}";

	@Test
	void showsEveryFigureAndSentence() {
		RunReport report = Runs.whole("The title");
		assertThat(HtmlReport.of(report))
			.contains("<h1>The title</h1>", report.verdict(), report.command(), "took 61.50 s")
			.contains(">19,000<small>ms", ">7.50<small>ms")
			.contains("<td class=\"figure\">100</td><td class=\"figure\" title=\"9.25\">9.3</td>")
			.contains("<td class=\"figure\" title=\"694.125\">694.1</td><td class=\"figure\">26 %</td>")
			.contains("Five runs.", "<h2>Reading</h2><p>All on one machine.</p>")
			.contains("\"x\":[100.0,3000.0],\"y\":[9.25,694.125]")
			.contains("<p class=\"verdict passed\">");
		for (Fact fact : report.environment()) {
			assertThat(HtmlReport.of(report))
				.contains("<dt>" + fact.name() + "</dt><dd>" + Escapers.HTML.escape(fact.value()));
		}
	}

	@Test
	void showsARowThatIsTooShort() {
		Table table = new Table("Short", List.of("users", "error"), List.of(List.of(100), List.of(500, "1 %")), "");
		assertThat(HtmlReport.of(Runs.run("Short", true, List.of(), List.of(table))))
			.contains("<td class=\"figure\">100</td><td class=\"figure\"></td>");
	}

	@Test
	void saysThatItFailed() {
		assertThat(HtmlReport.of(Runs.run("Failed", false, List.of(), List.of())))
			.contains("<p class=\"verdict failed\">")
			.doesNotContain("verdict passed");
	}

	@Test
	void loadsNothing() {
		String page = HtmlReport.of(Runs.whole("Offline"));
		assertThat(page).contains("default-src 'none'").doesNotContain("{{", "@import", "sourceMappingURL", "import(");
		assertThat(Pattern.compile("(src|href|action)\\s*=\\s*[\"']|url\\(").matcher(page).results()).isEmpty();
	}

	@Test
	void takesTextAsText() {
		Table table = new Table(NASTY, List.of(NASTY), List.of(List.of(NASTY)), NASTY);
		Chart chart = new Chart(NASTY, new Axis(NASTY, false), new Axis(NASTY, false),
				List.of(new Series(NASTY, List.of(1.0), List.of(Double.NaN))));
		RunReport run = Runs.whole(NASTY);
		String page = HtmlReport.of(new RunReport(NASTY, NASTY, NASTY, run.startedAt(), run.took(), true, NASTY,
				run.metrics(), List.of(new Fact(NASTY, NASTY)), List.of(table, chart, new Note(NASTY, NASTY))));
		assertThat(page).doesNotContain("<img")
			.contains("&lt;/script&gt;&lt;img src&#x3D;x onerror&#x3D;alert(1)&gt;&quot;&#39;&amp;");
		assertThat(page.split("</script>", -1)).as("the ends of the three scripts").hasSize(4);
	}

	@Test
	void saysThatAChartIsEmpty() {
		Chart chart = new Chart("Empty", new Axis("x", false), new Axis("y", false),
				List.of(new Series("none", List.of(), List.of())));
		assertThat(HtmlReport.of(Runs.run("Empty", true, List.of(), List.of(chart)))).contains("Nothing was measured.")
			.doesNotContain("<canvas");
	}

}
