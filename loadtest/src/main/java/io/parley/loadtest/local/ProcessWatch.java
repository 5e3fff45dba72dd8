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
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.parley.loadtest.report.ProcessStat;
import org.jspecify.annotations.Nullable;

/**
 * Looks every second at how much processor time and memory a process and its children
 * have taken, or all processes of the machine.
 */
public final class ProcessWatch implements AutoCloseable {

	private static final long PERIOD_MILLIS = 1000;

	/** What Linux counts processor time in. */
	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int IDLE_TIME = 4;

	private static final int WAITING_TIME = 5;

	/** From here on the columns repeat what others hold. */
	private static final int GUEST_TIMES = 9;

	private final ScheduledExecutorService clock = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("process-watch").factory());

	private final List<Sample> samples = new CopyOnWriteArrayList<>();

	private ProcessWatch(Supplier<@Nullable Sample> looks) {
		this.clock.scheduleAtFixedRate(() -> {
			Sample sample = looks.get();
			if (sample != null) {
				this.samples.add(sample);
			}
		}, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
	}

	/** Starts to look at a process. */
	public static ProcessWatch of(long pid) {
		return new ProcessWatch(() -> look(pid));
	}

	/**
	 * Starts to look at the whole machine; where the system does not tell, it takes
	 * nothing.
	 */
	public static ProcessWatch ofMachine() {
		return new ProcessWatch(() -> new Sample(System.nanoTime(), machineNanos(), 0));
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

	private static @Nullable Sample look(long pid) {
		ProcessHandle process = ProcessHandle.of(pid).orElse(null);
		if (process == null) {
			return null;
		}
		List<ProcessHandle> all = Stream.concat(Stream.of(process), process.descendants()).toList();
		long cpu = all.stream()
			.map((one) -> one.info().totalCpuDuration().orElse(Duration.ZERO))
			.mapToLong(Duration::toNanos)
			.sum();
		return new Sample(System.nanoTime(), cpu, all.stream().mapToLong((one) -> residentKb(one.pid())).sum());
	}

	/** All time but that of doing nothing, of all processors together. */
	private static long machineNanos() {
		try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
			String[] times = lines.findFirst().orElse("").split(" +");
			long ticks = IntStream.range(1, Math.min(times.length, GUEST_TIMES))
				.filter((column) -> column != IDLE_TIME && column != WAITING_TIME)
				.mapToLong((column) -> Long.parseLong(times[column]))
				.sum();
			return ticks * TICK_NANOS;
		}
		catch (IOException ex) {
			return 0;
		}
	}

	private static long residentKb(long pid) {
		ProcessStat process = ProcessStat.read(pid);
		return (process != null) ? process.residentBytes() / 1024 : 0;
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
	}

}
