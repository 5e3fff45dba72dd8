package io.parley.loadtest.measure;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;

/**
 * The resources that this process has used up to a moment. A saturated generator measures
 * itself, not the server.
 *
 * @param at {@link System#nanoTime()}
 * @param cpuNanos processor time of all threads
 */
public record Generator(long at, long cpuNanos) {

	public static final String SATURATED = "It was saturated: the run is not valid, its figures are those of the generator.";

	/**
	 * The limit for the use of all cores. k6 and other tools also recommend 20 per cent
	 * of idle processor time.
	 */
	private static final double BUSY = 0.8;

	/**
	 * The resources used between two moments.
	 *
	 * @param from the first moment, as {@link System#nanoTime()}
	 * @param cores the average number of busy cores, such as 0.5 for half of one core
	 */
	public record Use(long from, long nanos, double cores) {

		/** For a step that was not run. */
		public static final Use NONE = new Use(0, 1, 0);

		/**
		 * Returns how often something happened per second.
		 */
		public double perSecond(double count) {
			return count * TimeUnit.SECONDS.toNanos(1) / this.nanos;
		}

		/**
		 * Returns whether the processor was so busy that the figures are not valid.
		 */
		public boolean isSaturated() {
			return Generator.isSaturated(this.cores);
		}

	}

	/**
	 * The used bytes and the maximum bytes of a heap.
	 */
	public record Heap(long used, long most) {

		public static final Heap NONE = new Heap(0, 0);

		public Heap plus(Heap other) {
			return new Heap(this.used + other.used, this.most + other.most);
		}

	}

	public static Heap heap() {
		Runtime runtime = Runtime.getRuntime();
		return new Heap(runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory());
	}

	public static boolean isSaturated(double cores) {
		return cores > BUSY * Runtime.getRuntime().availableProcessors();
	}

	public static Generator now() {
		long cpu = (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)
				? system.getProcessCpuTime() : 0;
		return new Generator(System.nanoTime(), cpu);
	}

	public Use until(Generator later) {
		long nanos = Math.max(1, later.at - this.at);
		return new Use(this.at, nanos, (later.cpuNanos - this.cpuNanos) / (double) nanos);
	}

	/**
	 * Returns the limit of open files; {@code Long.MAX_VALUE} when it is unknown.
	 */
	public static long maxOpenFiles() {
		return (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)
				? unix.getMaxFileDescriptorCount() : Long.MAX_VALUE;
	}

	public static long openFiles() {
		return (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)
				? unix.getOpenFileDescriptorCount() : 0;
	}

}
