package io.parley.loadtest.report;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.report.WatchedProcess.Sample;
import org.jspecify.annotations.Nullable;

/**
 * Looks at processes of this machine each second, at this JVM always: processor, memory,
 * threads, open files, and the heap of those whose source is given. The time axis begins
 * when it is started.
 */
public final class ProcessSampler implements AutoCloseable {

	/** The name of this JVM, unless it is given another. */
	public static final String GENERATOR = "generator";

	/** The heap swings with each collection, and asking costs more than looking. */
	private static final int HEAP_EVERY = 5;

	private static final Axis TIME = new Axis("seconds", false);

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "process-sampler");
		thread.setDaemon(true);
		return thread;
	});

	private final List<WatchedProcess> processes = new CopyOnWriteArrayList<>();

	private final long start = System.nanoTime();

	private int round;

	private ProcessSampler(String name) {
		add(name, ProcessHandle.current().pid(), HeapSource.SELF);
	}

	/** Begins to sample this JVM, as the generator. */
	public static ProcessSampler start() {
		return start(GENERATOR);
	}

	/** Begins to sample this JVM under another name. */
	public static ProcessSampler start(String name) {
		ProcessSampler sampler = new ProcessSampler(name);
		sampler.clock.scheduleAtFixedRate(sampler::sample, 1, 1, TimeUnit.SECONDS);
		return sampler;
	}

	/**
	 * Samples a process, too.
	 * @param name for people, as {@code chat-server}
	 */
	public void watch(String name, long pid) {
		watch(name, pid, HeapSource.NONE);
	}

	/**
	 * Samples a process and its heap, too; a heap every five seconds.
	 * @param name for people, as {@code chat-server}
	 * @throws RefusedException when there is no such process
	 */
	public void watch(String name, long pid, HeapSource heap) {
		if (!add(name, pid, heap) && ProcessHandle.of(pid).isEmpty()) {
			throw new RefusedException("There is no process %d to look at: has the %s ended?".formatted(pid, name));
		}
	}

	private boolean add(String name, long pid, HeapSource heap) {
		@Nullable WatchedProcess process = WatchedProcess.of(name, pid, heap);
		return process != null && this.processes.add(process);
	}

	/** What was seen so far: a table of averages and maxima, and charts over time. */
	public List<Part> parts() {
		if (this.processes.isEmpty()) {
			return List.of(new Note("Processes", "Not measured: this system has no /proc."));
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
		List<String> ended = this.processes.stream()
			.filter((process) -> !Double.isNaN(process.endedAfter()))
			.map((process) -> "The %s ended after %.0f s.".formatted(process.name(), process.endedAfter()))
			.toList();
		return new Table("Processes", List.of("process", "CPU cores", "most", "memory MiB", "most", "heap MiB", "most",
				"threads", "most", "open files", "most"), rows, String.join(" ", ended));
	}

	private static List<Object> row(WatchedProcess process) {
		List<Object> row = new ArrayList<>(List.of(process.name()));
		List.<ToDoubleFunction<Sample>>of(Sample::cores, Sample::residentMib, Sample::heapMib).forEach((figure) -> {
			row.add(cell(process.average(figure)));
			row.add(cell(process.maximum(figure)));
		});
		List.<ToDoubleFunction<Sample>>of(Sample::threads, Sample::openFiles).forEach((figure) -> {
			row.add(count(process.average(figure)));
			row.add(count(process.maximum(figure)));
		});
		return row;
	}

	private static Object cell(double value) {
		return Double.isNaN(value) ? "" : WatchedProcess.rounded(value);
	}

	private static Object count(double value) {
		return Double.isNaN(value) ? "" : Math.round(value);
	}

	private Chart chart(String title, String unit, ToDoubleFunction<Sample> figure) {
		List<Series> series = this.processes.stream()
			.map((process) -> process.series(figure))
			.filter((line) -> !line.x().isEmpty())
			.toList();
		return new Chart(title, TIME, new Axis(unit, false), series);
	}

	private void sample() {
		boolean withHeap = this.round++ % HEAP_EVERY == 0;
		this.processes.forEach((process) -> process.sample(this.start, withHeap));
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
	}

}
