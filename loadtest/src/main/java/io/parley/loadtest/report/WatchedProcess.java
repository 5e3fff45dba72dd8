package io.parley.loadtest.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.parley.loadtest.report.RunReport.Series;
import org.jspecify.annotations.Nullable;

/** The samples of one process. */
final class WatchedProcess {

	/** More points than a chart can show only make the page large. */
	private static final int MOST_POINTS = 300;

	private static final double MIB = 1024 * 1024;

	/** The system counts processor time in steps that would show as a peak in less. */
	private static final double SHORTEST_SECONDS = 0.2;

	private final List<Sample> samples = new ArrayList<>();

	private final String name;

	private final long pid;

	private final HeapSource heap;

	private ProcessStat last;

	private long lastTime = System.nanoTime();

	private double endedAfter = Double.NaN;

	/** One second of a process. */
	record Sample(double seconds, double cores, double residentMib, double heapMib, double threads, double openFiles) {
	}

	private WatchedProcess(String name, long pid, HeapSource heap, ProcessStat first) {
		this.name = name;
		this.pid = pid;
		this.heap = heap;
		this.last = first;
	}

	/** Begins to watch; null when there is no such process. */
	static @Nullable WatchedProcess of(String name, long pid, HeapSource heap) {
		ProcessStat first = ProcessStat.read(pid);
		return (first != null) ? new WatchedProcess(name, pid, heap, first) : null;
	}

	String name() {
		return this.name;
	}

	/** How many seconds into the run it was found ended; NaN while it lives. */
	synchronized double endedAfter() {
		return this.endedAfter;
	}

	/**
	 * Takes a sample.
	 * @param start of the run
	 * @param withHeap whether the heap is looked at, too
	 */
	void sample(long start, boolean withHeap) {
		if (!Double.isNaN(endedAfter())) {
			return;
		}
		double heapMib = withHeap ? heapMib() : Double.NaN;
		synchronized (this) {
			ProcessStat now = ProcessStat.read(this.pid);
			long time = System.nanoTime();
			double seconds = (double) (time - start) / TimeUnit.SECONDS.toNanos(1);
			if (now == null || now.started() != this.last.started()) {
				this.endedAfter = seconds;
				return;
			}
			double passed = (double) (time - this.lastTime) / TimeUnit.SECONDS.toNanos(1);
			if (passed < SHORTEST_SECONDS) {
				return;
			}
			this.samples.add(new Sample(seconds, (now.cpuSeconds() - this.last.cpuSeconds()) / passed,
					now.residentBytes() / MIB, heapMib, now.threads(), now.openFiles()));
			this.last = now;
			this.lastTime = time;
		}
	}

	private double heapMib() {
		try {
			return this.heap.usedBytes() / MIB;
		}
		catch (IOException ex) {
			return Double.NaN;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Double.NaN;
		}
	}

	/** The average; NaN when it was never measured. */
	synchronized double average(ToDoubleFunction<Sample> figure) {
		return this.samples.stream()
			.mapToDouble(figure)
			.filter((value) -> !Double.isNaN(value))
			.average()
			.orElse(Double.NaN);
	}

	/** The maximum; NaN when it was never measured. */
	synchronized double maximum(ToDoubleFunction<Sample> figure) {
		return this.samples.stream()
			.mapToDouble(figure)
			.filter((value) -> !Double.isNaN(value))
			.max()
			.orElse(Double.NaN);
	}

	/** A line for a chart; of a long run averages over a few seconds each. */
	synchronized Series series(ToDoubleFunction<Sample> figure) {
		List<Sample> measured = this.samples.stream()
			.filter((sample) -> !Double.isNaN(figure.applyAsDouble(sample)))
			.toList();
		int step = Math.max(1, Math.ceilDiv(measured.size(), MOST_POINTS));
		List<Double> x = new ArrayList<>();
		List<Double> y = new ArrayList<>();
		for (int from = 0; from < measured.size(); from += step) {
			List<Sample> some = measured.subList(from, Math.min(from + step, measured.size()));
			x.add(rounded(some.stream().mapToDouble(Sample::seconds).average().orElse(0)));
			y.add(rounded(some.stream().mapToDouble(figure).average().orElse(0)));
		}
		return new Series(this.name, x, y);
	}

	static double rounded(double value) {
		return Math.rint(value * 1000) / 1000;
	}

}
