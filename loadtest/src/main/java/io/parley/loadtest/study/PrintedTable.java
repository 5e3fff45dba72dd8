package io.parley.loadtest.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Table;

/** The tables of a report as text for the console. */
public final class PrintedTable {

	private PrintedTable() {
	}

	/** Prints all tables of a report, and nothing else of it. */
	public static void printAll(RunReport report) {
		report.parts()
			.stream()
			.filter(Table.class::isInstance)
			.map(Table.class::cast)
			.forEach((table) -> System.out.println(text(table)));
	}

	private static String text(Table table) {
		List<List<String>> lines = new ArrayList<>(List.of(table.columns()));
		table.rows().forEach((row) -> lines.add(row.stream().map(PrintedTable::text).toList()));
		int[] widths = IntStream.range(0, table.columns().size())
			.map((column) -> lines.stream().mapToInt((row) -> row.get(column).length()).max().orElse(0))
			.toArray();
		return lines.stream()
			.map((row) -> line(row, widths))
			.collect(Collectors.joining("\n", "\n" + table.title() + "\n", ""));
	}

	private static String text(Object cell) {
		return switch (cell) {
			case Integer number -> String.format(Locale.ROOT, "%,d", number);
			case Long number -> String.format(Locale.ROOT, "%,d", number);
			case Double number -> String.format(Locale.ROOT, (number < 1000) ? "%s" : "%,.1f", number);
			default -> cell.toString();
		};
	}

	/** The first column to the left, the others to the right. */
	private static String line(List<String> row, int[] widths) {
		return IntStream.range(0, widths.length)
			.mapToObj((column) -> pad(row.get(column), (column == 0) ? -widths[0] : widths[column]))
			.collect(Collectors.joining("  ", "  ", ""));
	}

	private static String pad(String text, int width) {
		String filling = " ".repeat(Math.abs(width) - text.length());
		return (width < 0) ? text + filling : filling + text;
	}

}
