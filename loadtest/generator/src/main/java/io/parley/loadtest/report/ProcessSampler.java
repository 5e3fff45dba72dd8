package io.parley.loadtest.report;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.report.WatchedProcess.Sample;
import org.jspecify.annotations.Nullable;

/**
 * Samples processes of this machine once a second, always including this JVM: processor,
 * memory, threads, open files, and the heap of processes with a heap source. The time
 * axis starts with the sampler. Safe for use by many threads.
 */
public final class ProcessSampler implements AutoCloseable {

	/** The default name of this JVM. */
	public static final String GENERATOR = "generator";

	private static final Axis TIME = new Axis("seconds", false);

	/**
	 * The sampler of the current run. Processes started by the run are registered here.
	 */
	private static volatile @Nullable ProcessSampler current;

	private final ScheduledExecutorService clock = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("process-sampler").factory());

	private final List<WatchedProcess> processes = new CopyOnWriteArrayList<>();

	private final long start = System.nanoTime();

	private ProcessSampler(String name) {
		add(name, ProcessHandle.current().pid(), HeapSource.SELF);
	}

	/**
	 * Starts to sample this JVM, under the name of the generator.
	 */
	public static ProcessSampler start() {
		return start(GENERATOR);
	}

	/**
	 * Starts to sample this JVM under another name.
	 */
	public static ProcessSampler start(String name) {
		ProcessSampler sampler = new ProcessSampler(name);
		sampler.clock.scheduleAtFixedRate(sampler::sample, 1, 1, TimeUnit.SECONDS);
		current = sampler;
		return sampler;
	}

	/**
	 * Samples a server that was just started, if there is a current run. Servers of the
	 * same kind that run one after the other share a line.
	 * @param kind for people, such as {@code chat-server}
	 * @return stops the sampling: must be run before the server is stopped
	 */
	public static Runnable started(String kind, long pid, HeapSource heap) {
		ProcessSampler sampler = current;
		WatchedProcess process = (sampler != null) ? sampler.follow(kind, pid, heap) : null;
		return (process != null) ? process::stop : () -> {
		};
	}

	private synchronized @Nullable WatchedProcess follow(String kind, long pid, HeapSource heap) {
		for (WatchedProcess process : this.processes) {
			if (process.name().equals(kind) && process.follow(pid, heap)) {
				return process;
			}
		}
		return add(kind, pid, heap) ? this.processes.getLast() : null;
	}

	/**
	 * Starts to sample another process and its heap.
	 * @param name for people, such as {@code chat-server}
	 * @throws LoadTestException when there is no such process
	 */
	public void watch(String name, long pid, HeapSource heap) {
		if (!add(name, pid, heap) && ProcessHandle.of(pid).isEmpty()) {
			throw new LoadTestException("There is no process %d to sample: has the %s ended?".formatted(pid, name));
		}
	}

	private boolean add(String name, long pid, HeapSource heap) {
		WatchedProcess process = new WatchedProcess(name);
		return process.follow(pid, heap) && this.processes.add(process);
	}

	/**
	 * Returns the samples so far: a table of averages and maxima, and charts over time.
	 */
	public List<Part> parts() {
		if (this.processes.isEmpty()) {
			return List.of(new Note("Processes", "Not measured: this system does not show its processes."));
		}
		List<Part> parts = new ArrayList<>(List.of(table(), chart("Processor", "cores", Sample::cores),
				chart("Resident memory", "MiB", Sample::residentMib)));
		Chart heap = chart("Heap in use", "MiB", Sample::heapMib);
		if (!heap.series().isEmpty()) {
			parts.add(heap);
		}
		parts.add(chart("Threads", "threads", Sample::threads));
		parts.add(chart("Open files", "files and sockets", Sample::openFiles));
		return parts;
	}

	private Table table() {
		List<List<Object>> rows = this.processes.stream().map(ProcessSampler::row).toList();
		List<String> notes = new ArrayList<>();
		this.processes.stream().filter((process) -> process.processes() > 1).forEach((process) -> {
			notes.add("%s: %d processes, one after the other.".formatted(process.name(), process.processes()));
		});
		this.processes.stream().filter((process) -> !Double.isNaN(process.endedAfter())).forEach((process) -> {
			notes.add("The %s ended after %.0f s.".formatted(process.name(), process.endedAfter()));
		});
		return new Table("Processes", List.of("process", "CPU cores", "most", "memory MiB", "most", "heap MiB", "most",
				"threads", "most", "open files", "most"), rows, String.join(" ", notes));
	}

	private static List<Object> row(WatchedProcess process) {
		List<Object> row = new ArrayList<>(List.of(process.name()));
		List.<ToDoubleFunction<Sample>>of(Sample::cores, Sample::residentMib, Sample::heapMib)
			.forEach((figure) -> addCells(row, process.statistics(figure), WatchedProcess::rounded));
		List.<ToDoubleFunction<Sample>>of(Sample::threads, Sample::openFiles)
			.forEach((figure) -> addCells(row, process.statistics(figure), Math::round));
		return row;
	}

	private static void addCells(List<Object> row, DoubleSummaryStatistics figures, DoubleFunction<Object> rounding) {
		boolean measured = figures.getCount() > 0;
		row.add(measured ? rounding.apply(figures.getAverage()) : "");
		row.add(measured ? rounding.apply(figures.getMax()) : "");
	}

	private Chart chart(String title, String unit, ToDoubleFunction<Sample> figure) {
		List<Series> series = this.processes.stream()
			.map((process) -> process.series(figure))
			.filter((line) -> !line.x().isEmpty())
			.toList();
		return new Chart(title, TIME, new Axis(unit, false), series);
	}

	private void sample() {
		this.processes.forEach((process) -> process.sample(this.start));
	}

	@Override
	public void close() {
		if (current == this) {
			current = null;
		}
		this.clock.shutdownNow();
	}

}
