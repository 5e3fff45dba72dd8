package io.parley.loadtest.study.transports;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Table;

/** What the study says while it runs. */
final class Console {

	private Console() {
	}

	static void line(String format, Object... arguments) {
		System.out.println(String.format(Locale.ROOT, format, arguments));
	}

	/** A table as text; nothing else of a report. */
	static void print(Part part) {
		if (part instanceof Table table) {
			line("%n%s", table.title());
			List<List<String>> lines = new ArrayList<>(List.of(table.columns()));
			table.rows().forEach((row) -> lines.add(row.stream().map(Object::toString).toList()));
			int[] widths = IntStream.range(0, table.columns().size())
				.map((column) -> lines.stream().mapToInt((row) -> row.get(column).length()).max().orElse(0))
				.toArray();
			lines.forEach((row) -> line("  %s",
					IntStream.range(0, widths.length)
						.mapToObj((column) -> " ".repeat(widths[column] - row.get(column).length()) + row.get(column))
						.collect(Collectors.joining("  "))));
		}
	}

	/** How far a long cell is, and when it will be done at this rate. */
	static void progress(Transport transport, Cell cell, long arrived, long nanos) {
		double seconds = nanos / (double) TimeUnit.SECONDS.toNanos(1);
		double left = (arrived > 0) ? seconds * (cell.deliveries() - arrived) / arrived : 0;
		line("  %-14s %s: %,d of %,d after %.0f s%s", transport.name(), cell, arrived, cell.deliveries(), seconds,
				(arrived > 0) ? String.format(Locale.ROOT, ", %,.0f s left", left) : "");
	}

	/** A finished cell, and how long the rest takes when it goes on like this. */
	static void done(Transport transport, Outcome outcome, int done, int all, Duration since) {
		long left = since.toSeconds() * (all - done) / done;
		line("%3d of %d  %-14s %-36s %s%s", done, all, transport.name(), outcome.cell(), outcome.shown(),
				(left > 60) ? String.format(Locale.ROOT, "   (about %,d min left)", left / 60) : "");
	}

}
