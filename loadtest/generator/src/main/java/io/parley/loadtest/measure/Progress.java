package io.parley.loadtest.measure;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.report.Figures;

/**
 * Prints the progress of a run: every second at a terminal, every five seconds in a log.
 */
public final class Progress {

	private static final int SECONDS_IN_A_LOG = 5;

	private final PrintStream out;

	private final boolean terminal = System.console() != null && System.console().isTerminal();

	private long start = System.nanoTime();

	private long end = this.start;

	private String phase = "starting";

	private int ticks;

	public Progress(PrintStream out) {
		this.out = out;
	}

	/**
	 * Starts a phase of the run with its expected duration.
	 */
	public synchronized void phase(String name, Duration expected) {
		this.phase = name;
		this.end = System.nanoTime() + expected.toNanos();
	}

	/**
	 * Prints a line if one is due. Must be called once a second.
	 */
	public synchronized void tick(Measures measures, long sessions) {
		if (!this.terminal && this.ticks++ % SECONDS_IN_A_LOG != 0) {
			return;
		}
		long now = System.nanoTime();
		Duration left = Duration.ofNanos(this.end - now);
		long turnedAway = measures.turnedAway.sum();
		this.out
			.println(String.format(Locale.ROOT, "%4d s  %-10s live %,d of %,d  errors %,d  sent %,d  delivered %,d%s%s",
					TimeUnit.NANOSECONDS.toSeconds(now - this.start), this.phase, measures.live.sum(), sessions,
					measures.errorCount(), measures.sent.sum(), measures.delivered.sum(),
					(turnedAway > 0) ? "  turned away %,d".formatted(turnedAway) : "",
					left.toSeconds() > 0 ? "  " + Figures.left(left) : ""));
	}

}
