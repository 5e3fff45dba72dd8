package io.parley.loadtest.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.parley.loadtest.report.RunReport.Series;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one process, or of several processes of a kind that run one after the
 * other. Safe for use by many threads.
 */
final class WatchedProcess {

	/**
	 * Maximum number of points in a chart. More would only make the page larger.
	 */
	private static final int MAX_POINTS = 300;

	private static final double MIB = 1024 * 1024;

	/**
	 * Minimum time between samples. The system counts processor time in ticks, which
	 * would appear as peaks in shorter intervals.
	 */
	private static final double SHORTEST_SECONDS = 0.2;

	private final List<Sample> samples = new ArrayList<>();

	private final String name;

	private long pid;

	private HeapSource heap = HeapSource.NONE;

	private ProcessStat last;

	private long lastTime;

	private int age;

	private int processes;

	private boolean watching;

	private double endedAfter = Double.NaN;

	/**
	 * One sample of a process.
	 *
	 * @param process number of the process within its kind, from 1
	 */
	record Sample(int process, double seconds, double cores, double residentMib, double heapMib, double threads,
			double openFiles) {
	}

	private WatchedProcess(String name, long pid, HeapSource heap, ProcessStat first) {
		this.name = name;
		this.last = first;
		follow(pid, heap, first);
	}

	/**
	 * Starts to watch a process.
	 * @return null when there is no such process
	 */
	static @Nullable WatchedProcess of(String name, long pid, HeapSource heap) {
		ProcessStat first = read(pid, heap);
		return (first != null) ? new WatchedProcess(name, pid, heap, first) : null;
	}

	/**
	 * Continues with the next process of its kind.
	 * @return false when the current process is still watched, or there is no such
	 * process
	 */
	synchronized boolean follow(long nextPid, HeapSource nextHeap) {
		ProcessStat first = this.watching ? null : read(nextPid, nextHeap);
		if (first != null) {
			follow(nextPid, nextHeap, first);
		}
		return first != null;
	}

	private void follow(long nextPid, HeapSource nextHeap, ProcessStat first) {
		this.pid = nextPid;
		this.heap = nextHeap;
		this.last = first;
		this.lastTime = System.nanoTime();
		this.age = 0;
		this.processes++;
		this.watching = true;
	}

	/**
	 * Stops watching, because the process is about to end.
	 */
	synchronized void stop() {
		this.watching = false;
	}

	/**
	 * A process that is not a JVM may do its work in child processes, such as nginx.
	 */
	private static @Nullable ProcessStat read(long pid, HeapSource heap) {
		return (heap == HeapSource.NONE) ? ProcessStat.readAll(pid) : ProcessStat.read(pid);
	}

	/**
	 * Returns the number of processes watched so far.
	 */
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
		HeapSource source = dueHeapSource();
		// Read the heap outside the lock, because it may take long.
		double heapMib = (source != null) ? heapMib(source) : Double.NaN;
		synchronized (this) {
			if (!this.watching) {
				return;
			}
			ProcessStat now = read(this.pid, this.heap);
			long time = System.nanoTime();
			double seconds = (double) (time - start) / TimeUnit.SECONDS.toNanos(1);
			if (now == null || now.started() != this.last.started()) {
				this.endedAfter = seconds;
				this.watching = false;
				return;
			}
			double passed = (double) (time - this.lastTime) / TimeUnit.SECONDS.toNanos(1);
			if (passed < SHORTEST_SECONDS) {
				return;
			}
			double cpuSeconds = Math.max(0, now.cpuSeconds() - this.last.cpuSeconds());
			this.samples.add(new Sample(this.processes, seconds, cpuSeconds / passed, now.residentBytes() / MIB,
					heapMib, now.threads(), now.openFiles()));
			this.last = now;
			this.lastTime = time;
		}
	}

	private synchronized @Nullable HeapSource dueHeapSource() {
		return (this.watching && this.age++ % this.heap.everySeconds() == 0) ? this.heap : null;
	}

	private static double heapMib(HeapSource heap) {
		try {
			return heap.usedBytes() / MIB;
		}
		catch (IOException ex) {
			return Double.NaN;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Double.NaN;
		}
	}

	/**
	 * Returns the average; NaN when there is no value.
	 */
	synchronized double average(ToDoubleFunction<Sample> figure) {
		return this.samples.stream()
			.mapToDouble(figure)
			.filter((value) -> !Double.isNaN(value))
			.average()
			.orElse(Double.NaN);
	}

	/**
	 * Returns the maximum; NaN when there is no value.
	 */
	synchronized double maximum(ToDoubleFunction<Sample> figure) {
		return this.samples.stream()
			.mapToDouble(figure)
			.filter((value) -> !Double.isNaN(value))
			.max()
			.orElse(Double.NaN);
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
		for (int process = 1; process <= this.processes; process++) {
			int which = process;
			List<Sample> its = measured.stream().filter((sample) -> sample.process() == which).toList();
			if (!its.isEmpty() && !x.isEmpty()) {
				x.addAll(List.of(x.getLast(), rounded(its.getFirst().seconds())));
				y.addAll(List.of(0.0, 0.0));
			}
			for (int from = 0; from < its.size(); from += step) {
				List<Sample> some = its.subList(from, Math.min(from + step, its.size()));
				x.add(rounded(some.stream().mapToDouble(Sample::seconds).average().orElse(0)));
				y.add(rounded(some.stream().mapToDouble(figure).average().orElse(0)));
			}
		}
		return new Series(this.name, x, y);
	}

	static double rounded(double value) {
		return Math.rint(value * 1000) / 1000;
	}

}
