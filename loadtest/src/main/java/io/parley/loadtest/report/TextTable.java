package io.parley.loadtest.report;

import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.report.RunReport.Table;

/** A table for the console. */
final class TextTable {

	private TextTable() {
	}

	static String of(Table table) {
		List<List<String>> lines = new ArrayList<>();
		lines.add(table.columns());
		table.rows().forEach((row) -> lines.add(row.stream().map(Figures::text).toList()));
		StringBuilder text = new StringBuilder();
		for (List<String> line : lines) {
			for (int n = 0; n < line.size(); n++) {
				int column = n;
				int width = lines.stream().mapToInt((one) -> one.get(column).length()).max().orElse(0);
				String gap = " ".repeat(width - line.get(n).length());
				text.append("  ").append(isRight(table, n) ? gap + line.get(n) : line.get(n) + gap);
			}
			text.append('\n');
		}
		return text.toString().replaceAll(" +\n", "\n");
	}

	/** Whether all that a column holds are figures. */
	static boolean isRight(Table table, int column) {
		return table.rows()
			.stream()
			.map((row) -> row.get(column))
			.filter((cell) -> !cell.toString().isEmpty())
			.allMatch(Figures::isFigure);
	}

}
