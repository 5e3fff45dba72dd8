package io.parley.loadtest.study.transports;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.report.Figures;

/**
 * Console output of the study.
 */
final class Console {

	private Console() {
	}

	static void line(String format, Object... arguments) {
		System.out.println(String.format(Locale.ROOT, format, arguments));
	}

	/**
	 * Prints the progress of a long cell and the estimated remaining time.
	 */
	static void progress(Transport transport, Cell cell, long arrived, long nanos) {
		double seconds = nanos / (double) TimeUnit.SECONDS.toNanos(1);
		double left = (arrived > 0) ? seconds * (cell.deliveries() - arrived) / arrived : 0;
		line("  %-14s %s: %,d of %,d after %.0f s%s", transport.name(), cell, arrived, cell.deliveries(), seconds,
				(arrived > 0) ? ", " + Figures.left(Duration.ofSeconds((long) left)) : "");
	}

	/**
	 * Prints the result of a finished cell and the estimated remaining time of the study.
	 */
	static void done(Transport transport, Outcome outcome, int done, int all, Duration since) {
		Duration left = since.multipliedBy(all - done).dividedBy(done);
		line("%3d of %d  %-14s %-36s %s%s", done, all, transport.name(), outcome.cell(), outcome.displayValue(),
				(left.toMinutes() > 0) ? "   (" + Figures.left(left) + ")" : "");
	}

}
