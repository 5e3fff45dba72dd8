package io.parley.loadtest.study.server;

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
 * Samples the processor time and memory of a process and its children, or of the whole
 * machine, once a second.
 */
public final class ProcessWatch implements AutoCloseable {

	private static final long PERIOD_MILLIS = 1000;

	/**
	 * Length of the tick in which Linux counts processor time.
	 */
	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int IDLE_TIME = 4;

	private static final int WAITING_TIME = 5;

	/**
	 * First of the columns whose times are already included in other columns.
	 */
	private static final int GUEST_TIMES = 9;

	private final ScheduledExecutorService clock = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("process-watch").factory());

	private final List<Sample> samples = new CopyOnWriteArrayList<>();

	private ProcessWatch(Supplier<@Nullable Sample> sampler) {
		this.clock.scheduleAtFixedRate(() -> {
			Sample sample = sampler.get();
			if (sample != null) {
				this.samples.add(sample);
			}
		}, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
	}

	/**
	 * Starts to sample a process.
	 */
	public static ProcessWatch of(long pid) {
		return new ProcessWatch(() -> sample(pid));
	}

	/**
	 * Starts to sample the whole machine. Where the system does not report its processor
	 * time, all values are 0.
	 */
	public static ProcessWatch ofMachine() {
		return new ProcessWatch(() -> new Sample(System.nanoTime(), machineNanos(), 0));
	}

	/**
	 * One sample.
	 *
	 * @param at {@link System#nanoTime()}
	 */
	private record Sample(long at, long cpuNanos, long residentKb) {
	}

	/**
	 * The resource use within some time.
	 *
	 * @param cores average number of busy cores
	 * @param maxCores busy cores in the busiest second
	 * @param residentKb maximum resident memory; 0 where the system does not report it
	 */
	public record Use(double cores, double maxCores, long residentKb) {
	}

	/**
	 * Returns the use between two times, with the precision of a second.
	 * @param from {@link System#nanoTime()}
	 * @param to {@link System#nanoTime()}
	 */
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

	private static @Nullable Sample sample(long pid) {
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

	/**
	 * Returns the time of all processors together, without idle and I/O wait time.
	 */
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
