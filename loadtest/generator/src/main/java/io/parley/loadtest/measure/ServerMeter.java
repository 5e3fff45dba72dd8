package io.parley.loadtest.measure;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

import io.parley.loadtest.cli.Http;

/**
 * Reads counters of a chat-server from the metrics on its management port.
 */
public final class ServerMeter implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final double NANOS_PER_SECOND = 1e9;

	private final Http http = new Http();

	private final URI metrics;

	/**
	 * The counters at one moment. A counter that the server does not have is NaN.
	 *
	 * @param at {@link System#nanoTime()}
	 * @param byServer statements that the server has prepared for its database
	 * @param byWorkers statements of the workers in the same process
	 * @param cpuSeconds processor time of the process
	 */
	public record Counters(long at, double byServer, double byWorkers, double cpuSeconds) {

		/** For a server that does not answer. */
		static final Counters UNKNOWN = new Counters(0, Double.NaN, Double.NaN, Double.NaN);

		/** Returns whether the server counts its statements. */
		public boolean hasStatements() {
			return !Double.isNaN(this.byServer) && !Double.isNaN(this.byWorkers);
		}

		/** Returns the growth since an earlier moment. */
		public Growth since(Counters before) {
			return new Growth((this.at - before.at) / NANOS_PER_SECOND, this.byServer - before.byServer,
					this.byWorkers - before.byWorkers, this.cpuSeconds - before.cpuSeconds);
		}

	}

	/**
	 * The growth of the counters over some seconds.
	 */
	public record Growth(double seconds, double byServer, double byWorkers, double cpuSeconds) {

		/** For a time that was not measured. */
		public static final Growth UNKNOWN = new Growth(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

		/**
		 * Returns what remains of this growth when the growth of an idle server over the
		 * same time is taken away, never below 0.
		 */
		public Growth above(Growth idle) {
			double share = this.seconds / idle.seconds;
			return new Growth(this.seconds, Math.max(0, this.byServer - share * idle.byServer),
					Math.max(0, this.byWorkers - share * idle.byWorkers),
					Math.max(0, this.cpuSeconds - share * idle.cpuSeconds));
		}

	}

	/**
	 * Creates a meter.
	 * @param management the address of the management port
	 */
	public ServerMeter(URI management) {
		this.metrics = management.resolve("/actuator/prometheus");
	}

	/**
	 * Returns the current counters; all unknown when the server does not answer.
	 */
	public Counters read() {
		try {
			String text = this.http.get(this.metrics, TIMEOUT).body();
			return new Counters(System.nanoTime(), value(text, "chat_db_statements_total{by=\"server\"}"),
					value(text, "chat_db_statements_total{by=\"worker\"}"),
					value(text, "process_cpu_time_ns_total") / NANOS_PER_SECOND);
		}
		catch (IOException ex) {
			return Counters.UNKNOWN;
		}
	}

	static double value(String text, String sample) {
		return text.lines()
			.filter((line) -> line.startsWith(sample + " "))
			.mapToDouble((line) -> Double.parseDouble(line.substring(sample.length() + 1)))
			.findFirst()
			.orElse(Double.NaN);
	}

	@Override
	public void close() {
		this.http.close();
	}

}
