package io.parley.loadtest.study;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.loadtest.report.RunReport.Table;

/** Prints a table for the console: texts to the left, numbers to the right. */
public final class TextTable {

	private TextTable() {
	}

	/** Prints the title, the columns, the rows and the note. */
	public static void print(Table table, PrintStream out) {
		List<List<String>> lines = new ArrayList<>();
		lines.add(table.columns());
		table.rows().forEach((row) -> lines.add(row.stream().map(TextTable::text).toList()));
		int[] widths = IntStream.range(0, table.columns().size())
			.map((column) -> lines.stream().mapToInt((line) -> line.get(column).length()).max().orElse(0))
			.toArray();
		out.println();
		out.println(table.title());
		for (int i = 0; i < lines.size(); i++) {
			List<Object> cells = (i > 0) ? table.rows().get(i - 1) : List.of();
			out.println(line(lines.get(i), cells, widths));
		}
		if (!table.note().isEmpty()) {
			out.println(table.note());
		}
	}

	private static String line(List<String> texts, List<Object> cells, int[] widths) {
		return IntStream.range(0, texts.size()).mapToObj((column) -> {
			boolean number = !cells.isEmpty() && cells.get(column) instanceof Number;
			return String.format(Locale.ROOT, number ? "%" + widths[column] + "s" : "%-" + widths[column] + "s",
					texts.get(column));
		}).collect(Collectors.joining("  ")).stripTrailing();
	}

	private static String text(Object cell) {
		return switch (cell) {
			case Double number when number == Math.rint(number) -> String.format(Locale.ROOT, "%,.0f", number);
			case Double number -> String.format(Locale.ROOT, "%,.2f", number);
			case Number number -> String.format(Locale.ROOT, "%,d", number.longValue());
			default -> cell.toString();
		};
	}

}
