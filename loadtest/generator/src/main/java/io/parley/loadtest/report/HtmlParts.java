package io.parley.loadtest.report;

import java.util.List;
import java.util.stream.Collectors;

import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Table;

/**
 * Renders tables, charts and notes as HTML.
 */
final class HtmlParts {

	private HtmlParts() {
	}

	static String of(Part part) {
		return switch (part) {
			case Table table -> table(table);
			case Chart chart -> chart(chart);
			case Note note -> """
					<section><h2>%s</h2><p>%s</p></section>
					""".formatted(Html.escape(note.title()), Html.escape(note.text()));
		};
	}

	private static String table(Table table) {
		StringBuilder html = new StringBuilder("<section class=\"table\"><h2>").append(Html.escape(table.title()))
			.append("</h2>\n<div class=\"wide\"><table>\n<thead><tr>");
		for (int column = 0; column < table.columns().size(); column++) {
			html.append(cell("th", table, column, Html.escape(table.columns().get(column)), ""));
		}
		html.append("</tr></thead>\n<tbody>\n");
		List<List<String>> rows = TextTable.rows(table);
		for (int row = 0; row < rows.size(); row++) {
			html.append("<tr>");
			for (int column = 0; column < table.columns().size(); column++) {
				html.append(cell("td", table, column, Html.escape(rows.get(row).get(column)),
						exact(TextTable.cells(table, column).get(row))));
			}
			html.append("</tr>\n");
		}
		html.append("</tbody></table></div>\n");
		if (!table.note().isEmpty()) {
			html.append("<p class=\"note\">").append(Html.escape(table.note())).append("</p>\n");
		}
		return html.append("</section>\n").toString();
	}

	private static String cell(String element, Table table, int column, String text, String attributes) {
		String side = TextTable.isRight(table, column) ? " class=\"figure\"" : "";
		return "<" + element + side + attributes + ">" + text + "</" + element + ">";
	}

	/**
	 * Shows all digits of a rounded number as a tooltip.
	 */
	private static String exact(Object cell) {
		return (cell instanceof Double number) ? " title=\"" + number + "\"" : "";
	}

	private static String chart(Chart chart) {
		String title = Html.escape(chart.title());
		boolean empty = chart.series().stream().allMatch((series) -> series.x().isEmpty());
		String plot = empty ? "<p class=\"note\">Nothing was measured.</p>"
				: "<div class=\"plot\"><canvas role=\"img\" aria-label=\"%s: %s\"></canvas></div>".formatted(title, Html
					.escape(chart.series().stream().map((one) -> one.name()).collect(Collectors.joining(", "))));
		return "<section class=\"chart\"><h2>%s</h2>\n%s</section>\n".formatted(title, plot);
	}

}
