package io.parley.loadtest;

import java.lang.management.ManagementFactory;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;

/**
 * What this process has used up to a moment. A generator that is at its own limit
 * measures itself, not the server.
 *
 * @param at {@link System#nanoTime()}
 * @param cpuNanos of all its threads
 */
record Generator(long at, long cpuNanos) {

	static final String SATURATED = "It was saturated: the run is not valid, its figures are those of the generator.";

	/** k6 and others ask for a fifth of idle processor. */
	private static final double BUSY = 0.8;

	/**
	 * What it used between two moments.
	 *
	 * @param cores as 0.5 for half of one core
	 */
	record Use(long nanos, double cores) {

		/** Whether it had too little processor to be believed. */
		boolean isSaturated() {
			return Generator.isSaturated(this.cores);
		}

	}

	/** What is taken of a heap, and how much of it there is, in bytes. */
	record Heap(long used, long most) {

		static final Heap NONE = new Heap(0, 0);

		Heap plus(Heap other) {
			return new Heap(this.used + other.used, this.most + other.most);
		}

	}

	static Heap heap() {
		Runtime runtime = Runtime.getRuntime();
		return new Heap(runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory());
	}

	static boolean isSaturated(double cores) {
		return cores > BUSY * Runtime.getRuntime().availableProcessors();
	}

	static Generator now() {
		long cpu = (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)
				? system.getProcessCpuTime() : 0;
		return new Generator(System.nanoTime(), cpu);
	}

	Use until(Generator later) {
		long nanos = Math.max(1, later.at - this.at);
		return new Use(nanos, (later.cpuNanos - this.cpuNanos) / (double) nanos);
	}

	/** How many files it may open; more than any number where that is not known. */
	static long mostOpenFiles() {
		return (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)
				? unix.getMaxFileDescriptorCount() : Long.MAX_VALUE;
	}

	static long openFiles() {
		return (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)
				? unix.getOpenFileDescriptorCount() : 0;
	}

}
