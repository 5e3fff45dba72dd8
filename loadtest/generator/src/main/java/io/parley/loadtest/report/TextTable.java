package io.parley.loadtest.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Table;

/**
 * Renders tables for the console.
 */
public final class TextTable {

	private TextTable() {
	}

	/**
	 * Prints the tables of a report, each with its title and its note.
	 */
	public static void print(List<? extends Part> parts) {
		parts.stream().filter(Table.class::isInstance).map(Table.class::cast).forEach((table) -> {
			System.out.printf("%n%s%n%s", table.title(), of(table));
			if (!table.note().isEmpty()) {
				System.out.println(table.note());
			}
		});
	}

	static String of(Table table) {
		List<List<String>> lines = new ArrayList<>();
		lines.add(table.columns());
		lines.addAll(rows(table));
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

	static List<List<String>> rows(Table table) {
		List<List<String>> columns = IntStream.range(0, table.columns().size())
			.mapToObj((column) -> Figures.column(cells(table, column)))
			.toList();
		return IntStream.range(0, table.rows().size())
			.mapToObj((row) -> columns.stream().map((column) -> column.get(row)).toList())
			.toList();
	}

	/**
	 * Returns whether all non-empty cells of a column are figures.
	 */
	static boolean isRight(Table table, int column) {
		return cells(table, column).stream().filter((cell) -> !cell.toString().isEmpty()).allMatch(Figures::isFigure);
	}

	/**
	 * Returns the cells of a column. A missing cell is empty, because an error at this
	 * point would lose the results of the run.
	 */
	static List<Object> cells(Table table, int column) {
		return table.rows().stream().map((row) -> (column < row.size()) ? row.get(column) : "").toList();
	}

}
