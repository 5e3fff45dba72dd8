package io.parley.loadtest.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Looks every second at how much processor time and memory a process and its children
 * have taken.
 */
public final class ProcessWatch implements AutoCloseable {

	private static final long PERIOD_MILLIS = 1000;

	private final ScheduledExecutorService clock = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("process-watch").factory());

	private final List<Sample> samples = new CopyOnWriteArrayList<>();

	private final long pid;

	/** Starts to look. */
	public ProcessWatch(long pid) {
		this.pid = pid;
		this.clock.scheduleAtFixedRate(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
	}

	/**
	 * What was seen at a time.
	 *
	 * @param at {@link System#nanoTime()}
	 */
	private record Sample(long at, long cpuNanos, long residentKb) {
	}

	/**
	 * What a process took in some time.
	 *
	 * @param cores on average
	 * @param mostCores in the busiest second
	 * @param residentKb the most; 0 where the system does not tell
	 */
	public record Use(double cores, double mostCores, long residentKb) {
	}

	/** What it took between two times, to the second. */
	public Use between(long from, long to) {
		List<Sample> within = this.samples.stream()
			.filter((sample) -> sample.at() - from >= 0 && sample.at() - to <= 0)
			.toList();
		if (within.size() < 2) {
			return new Use(0, 0, within.stream().mapToLong(Sample::residentKb).max().orElse(0));
		}
		double most = 0;
		for (int i = 1; i < within.size(); i++) {
			most = Math.max(most, cores(within.get(i - 1), within.get(i)));
		}
		return new Use(cores(within.getFirst(), within.getLast()), most,
				within.stream().mapToLong(Sample::residentKb).max().orElse(0));
	}

	private static double cores(Sample from, Sample to) {
		return (double) (to.cpuNanos() - from.cpuNanos()) / (to.at() - from.at());
	}

	private void look() {
		ProcessHandle process = ProcessHandle.of(this.pid).orElse(null);
		if (process == null) {
			return;
		}
		List<ProcessHandle> all = Stream.concat(Stream.of(process), process.descendants()).toList();
		long cpu = all.stream()
			.map((one) -> one.info().totalCpuDuration().orElse(Duration.ZERO))
			.mapToLong(Duration::toNanos)
			.sum();
		long resident = all.stream().mapToLong((one) -> residentKb(one.pid())).sum();
		this.samples.add(new Sample(System.nanoTime(), cpu, resident));
	}

	private static long residentKb(long pid) {
		try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
			return lines.filter((line) -> line.startsWith("VmRSS:"))
				.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")))
				.sum();
		}
		catch (IOException ex) {
			return 0;
		}
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
	}

}
