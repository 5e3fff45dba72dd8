package io.parley.loadtest.report;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;

import io.parley.loadtest.report.RunReport.Series;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one process, or of several processes of a kind that run one after the
 * other. Safe for use by many threads.
 */
final class WatchedProcess {

	/** Maximum number of points in a chart. More would only make the page larger. */
	private static final int MAX_POINTS = 300;

	private static final double MIB = 1024 * 1024;

	private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

	/**
	 * Minimum time between samples. The system counts processor time in ticks, which
	 * would appear as peaks in shorter intervals.
	 */
	private static final double SHORTEST_SECONDS = 0.2;

	private final List<Sample> samples = new ArrayList<>();

	private final String name;

	/** The process that is watched now; null between two processes. */
	private @Nullable Watch watch;

	private int processes;

	private double endedAfter = Double.NaN;

	/**
	 * One sample of a process.
	 *
	 * @param process number of the process within its kind, from 1
	 */
	record Sample(int process, double seconds, double cores, double residentMib, double heapMib, double threads,
			double openFiles) {
	}

	/**
	 * The last state of a process.
	 *
	 * @param age number of samples so far
	 */
	private record Watch(long pid, HeapSource heap, ProcessStat last, long at, int age) {

		static @Nullable Watch start(long pid, HeapSource heap) {
			ProcessStat first = read(pid, heap);
			return (first != null) ? new Watch(pid, heap, first, System.nanoTime(), 0) : null;
		}

		@Nullable Watch next() {
			ProcessStat now = read(this.pid, this.heap);
			return (now != null && now.started() == this.last.started())
					? new Watch(this.pid, this.heap, now, System.nanoTime(), this.age + 1) : null;
		}

		/**
		 * A process that is not a JVM may do its work in child processes, such as nginx.
		 */
		private static @Nullable ProcessStat read(long pid, HeapSource heap) {
			return (heap == HeapSource.NONE) ? ProcessStat.readAll(pid) : ProcessStat.read(pid);
		}

	}

	WatchedProcess(String name) {
		this.name = name;
	}

	/**
	 * Watches a process, the next one of its kind.
	 * @return false when the previous process is still watched, or there is no such
	 * process
	 */
	synchronized boolean follow(long pid, HeapSource heap) {
		if (this.watch != null) {
			return false;
		}
		this.watch = Watch.start(pid, heap);
		this.processes += (this.watch != null) ? 1 : 0;
		return this.watch != null;
	}

	/**
	 * Stops watching, because the process is about to end.
	 */
	synchronized void stop() {
		this.watch = null;
	}

	synchronized int processes() {
		return this.processes;
	}

	String name() {
		return this.name;
	}

	/**
	 * Returns the seconds from the start of the run until the process was found to have
	 * ended; NaN while it runs.
	 */
	synchronized double endedAfter() {
		return this.endedAfter;
	}

	/**
	 * Takes a sample.
	 * @param start of the run, as {@link System#nanoTime()}
	 */
	void sample(long start) {
		Watch before = current();
		if (before == null) {
			return;
		}
		// Read the heap outside the lock, because it may take long.
		boolean due = before.age % before.heap.everySeconds() == 0;
		double heapMib = due ? before.heap.usedBytes() / MIB : Double.NaN;
		synchronized (this) {
			if (this.watch != before) {
				return;
			}
			Watch now = before.next();
			double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
			if (now == null) {
				this.endedAfter = seconds;
				this.watch = null;
				return;
			}
			double passed = (now.at - before.at) / NANOS_PER_SECOND;
			if (passed >= SHORTEST_SECONDS) {
				double cores = Math.max(0, now.last.cpuSeconds() - before.last.cpuSeconds()) / passed;
				this.samples.add(new Sample(this.processes, seconds, cores, now.last.residentBytes() / MIB, heapMib,
						now.last.threads(), now.last.openFiles()));
				this.watch = now;
			}
		}
	}

	private synchronized @Nullable Watch current() {
		return this.watch;
	}

	/**
	 * Returns the average and the maximum of a figure, without unknown values.
	 */
	synchronized DoubleSummaryStatistics statistics(ToDoubleFunction<Sample> figure) {
		return this.samples.stream().mapToDouble(figure).filter((value) -> !Double.isNaN(value)).summaryStatistics();
	}

	/**
	 * Returns a line for a chart. For a long run its points are averages over several
	 * seconds. Between two processes of a kind the line is at 0.
	 */
	synchronized Series series(ToDoubleFunction<Sample> figure) {
		List<Sample> measured = this.samples.stream()
			.filter((sample) -> !Double.isNaN(figure.applyAsDouble(sample)))
			.toList();
		int step = Math.max(1, Math.ceilDiv(measured.size(), MAX_POINTS));
		List<Double> x = new ArrayList<>();
		List<Double> y = new ArrayList<>();
		measured.stream()
			.collect(Collectors.groupingBy(Sample::process, TreeMap::new, Collectors.toList()))
			.values()
			.forEach((its) -> {
				if (!x.isEmpty()) {
					x.addAll(List.of(x.getLast(), rounded(its.getFirst().seconds())));
					y.addAll(List.of(0.0, 0.0));
				}
				its.stream().gather(Gatherers.windowFixed(step)).forEach((some) -> {
					x.add(rounded(some.stream().mapToDouble(Sample::seconds).average().orElse(0)));
					y.add(rounded(some.stream().mapToDouble(figure).average().orElse(0)));
				});
			});
		return new Series(this.name, x, y);
	}

	static double rounded(double value) {
		return Math.rint(value * 1000) / 1000;
	}

}
