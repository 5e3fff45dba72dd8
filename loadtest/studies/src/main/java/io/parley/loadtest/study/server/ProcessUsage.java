package io.parley.loadtest.study.server;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor.TickType;
import oshi.software.os.OSProcess;

/**
 * Samples the processor time and memory of a process and its children, or of the whole
 * machine, once a second.
 */
public final class ProcessUsage implements AutoCloseable {

	private static final SystemInfo SYSTEM = new SystemInfo();

	private final ScheduledExecutorService clock = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("process-usage").factory());

	private final List<Sample> samples = new CopyOnWriteArrayList<>();

	private ProcessUsage(Supplier<@Nullable Sample> sampler) {
		this.clock.scheduleAtFixedRate(() -> {
			Sample sample = sampler.get();
			if (sample != null) {
				this.samples.add(sample);
			}
		}, 0, 1, TimeUnit.SECONDS);
	}

	/**
	 * Starts to sample a process.
	 */
	public static ProcessUsage of(long pid) {
		return new ProcessUsage(() -> sample(pid));
	}

	/**
	 * Starts to sample the whole machine, without its memory.
	 */
	public static ProcessUsage ofMachine() {
		return new ProcessUsage(() -> new Sample(System.nanoTime(), machineMillis(), 0));
	}

	/**
	 * One sample.
	 *
	 * @param at {@link System#nanoTime()}
	 */
	private record Sample(long at, long cpuMillis, long residentBytes) {

		double coresUntil(Sample later) {
			return TimeUnit.MILLISECONDS.toNanos(later.cpuMillis - this.cpuMillis) / (double) (later.at - this.at);
		}

	}

	/**
	 * The resource use within some time.
	 *
	 * @param cores average number of busy cores
	 * @param maxCores busy cores in the busiest second
	 * @param residentKb maximum resident memory
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
		long residentKb = within.stream().mapToLong(Sample::residentBytes).max().orElse(0) / 1024;
		if (within.size() < 2) {
			return new Use(0, 0, residentKb);
		}
		double most = 0;
		for (int i = 1; i < within.size(); i++) {
			most = Math.max(most, within.get(i - 1).coresUntil(within.get(i)));
		}
		return new Use(within.getFirst().coresUntil(within.getLast()), most, residentKb);
	}

	private static @Nullable Sample sample(long pid) {
		ProcessHandle process = ProcessHandle.of(pid).orElse(null);
		if (process == null) {
			return null;
		}
		List<OSProcess> all = Stream.concat(Stream.of(process), process.descendants())
			.map((one) -> SYSTEM.getOperatingSystem().getProcess((int) one.pid()))
			.filter(Objects::nonNull)
			.toList();
		return new Sample(System.nanoTime(),
				all.stream().mapToLong((one) -> one.getKernelTime() + one.getUserTime()).sum(),
				all.stream().mapToLong(OSProcess::getResidentMemory).sum());
	}

	/**
	 * Returns the time of all processors together, without idle and I/O wait time.
	 */
	private static long machineMillis() {
		long[] ticks = SYSTEM.getHardware().getProcessor().getSystemCpuLoadTicks();
		return LongStream.of(ticks).sum() - ticks[TickType.IDLE.getIndex()] - ticks[TickType.IOWAIT.getIndex()];
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
	}

}
