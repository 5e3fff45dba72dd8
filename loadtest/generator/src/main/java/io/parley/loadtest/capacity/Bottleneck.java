package io.parley.loadtest.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.ServerProbe;
import io.parley.loadtest.report.ProcessStat;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Observes the server's process and this process during a trial, and reports which of
 * them reached a limit.
 */
final class Bottleneck {

	private static final double NEARLY = 0.95;

	private static final double FULL_HEAP = 0.9;

	private static final double LATE_MILLIS = 1000;

	private final ServerUnderTest server;

	private Generator before = Generator.now();

	private Histogram startingBefore;

	private double cpuBefore;

	private Generator.Use use = new Generator.Use(1, 0);

	private double serverCores;

	private long files;

	private long maxFiles;

	private long residentKb;

	private long heapKb;

	private long maxHeapKb;

	private long ownFiles;

	private boolean late;

	Bottleneck(ServerUnderTest server, Measures measures) {
		this.server = server;
		this.startingBefore = measures.starting.copy();
		begin(measures);
	}

	/**
	 * Starts the measurement of processor time and of late sends of this process.
	 */
	void begin(Measures measures) {
		this.startingBefore = measures.starting.copy();
		this.before = Generator.now();
		ProcessStat process = process();
		this.cpuBefore = (process != null) ? process.cpuSeconds() : 0;
	}

	private @Nullable ProcessStat process() {
		Long pid = this.server.pid();
		return (pid != null) ? ProcessStat.read(pid) : null;
	}

	/**
	 * Takes the final readings. Call it while the sessions are still connected.
	 */
	void end(Measures measures) {
		this.use = this.before.until(Generator.now());
		this.ownFiles = Generator.openFiles();
		Histogram starting = measures.starting.copy();
		starting.subtract(this.startingBefore);
		this.late = Latencies.millis(starting, 99) > LATE_MILLIS;
		Long pid = this.server.pid();
		ProcessStat process = process();
		if (pid == null || process == null) {
			return;
		}
		this.serverCores = (process.cpuSeconds() - this.cpuBefore) * TimeUnit.SECONDS.toNanos(1) / this.use.nanos();
		this.files = process.openFiles();
		this.maxFiles = ProcessStat.maxOpenFiles(pid);
		this.residentKb = process.residentBytes() / 1024;
		try {
			ServerProbe probe = new ServerProbe(pid);
			this.maxHeapKb = probe.maxHeapKb();
			this.heapKb = probe.liveHeapKb();
		}
		catch (RefusedException ex) {
			// The process is not a JVM of this user, or it is just ending. Its heap is
			// then unknown.
			this.heapKb = 0;
		}
	}

	/**
	 * Returns whether this process had capacity left, so that the figures are those of
	 * the server.
	 */
	boolean isGeneratorFine() {
		return !this.use.isSaturated() && !this.late;
	}

	/**
	 * Returns descriptions of the limits that were reached.
	 */
	List<String> limitsReached(Measures measures) {
		List<String> limits = new ArrayList<>();
		if (this.server.hasEnded()) {
			limits.add("the server's process ended");
		}
		if (this.server.ranOutOfMemory()) {
			limits.add("the server's heap: its log has an OutOfMemoryError");
		}
		measures.errors().keySet().forEach((kind) -> addErrorLimits(kind, limits));
		addServerLimits(limits);
		addGeneratorLimits(limits);
		return limits.isEmpty() ? List.of("none of the observed resources is at its limit")
				: limits.stream().distinct().toList();
	}

	private void addErrorLimits(String kind, List<String> limits) {
		if (kind.contains("Retry-After 10 s")) {
			limits.add("the server's own limit of sessions, chat.limits.sessions"
					+ (this.server.isBehindNginx() ? ", or that of nginx, CHAT_MAX_CONNECTIONS" : ""));
		}
		else if (kind.contains("Retry-After 1 s")) {
			limits.add("the server's own limit of new sessions, chat.limits.connects-per-second");
		}
		else if (kind.contains("too-many-sessions")) {
			limits.add("the server's own limit for one user, chat.limits.sessions-per-user");
		}
		else if (kind.contains("Cannot assign requested address") || kind.contains("Too many open files")) {
			limits.add("ports or files of this generator, not of the server (" + kind + ")");
		}
		else if (kind.contains("Connection refused")) {
			limits.add("the server's port is closed");
		}
	}

	private void addServerLimits(List<String> limits) {
		if (this.server.pid() == null) {
			limits.add("the server's process is unknown: pass it with --server-pid");
			return;
		}
		if (this.maxFiles > 0 && this.files > NEARLY * this.maxFiles) {
			limits.add("the server's open files: " + this.files);
		}
		if (this.maxHeapKb > 0 && this.heapKb > FULL_HEAP * this.maxHeapKb) {
			limits.add("the server's heap: %,d of %,d MB are in use after a collection".formatted(this.heapKb / 1024,
					this.maxHeapKb / 1024));
		}
		int cores = Runtime.getRuntime().availableProcessors();
		if (this.serverCores + this.use.cores() > NEARLY * cores) {
			limits.add(String.format(Locale.ROOT, "the processor: server %.2f and generator %.2f of %d cores",
					this.serverCores, this.use.cores(), cores));
		}
	}

	private void addGeneratorLimits(List<String> limits) {
		if (this.use.isSaturated() || this.late) {
			limits.add("this generator is saturated, so the trial is not valid and says nothing about the server");
		}
		if (this.ownFiles > NEARLY * Generator.maxOpenFiles()) {
			limits.add("the open files of this generator, not of the server: " + this.ownFiles);
		}
	}

	/**
	 * Returns one line about both processes.
	 */
	String facts() {
		String own = String.format(Locale.ROOT, "generator %.2f cores, %,d files", this.use.cores(), this.ownFiles);
		return (this.server.pid() == null) ? own
				: String.format(Locale.ROOT,
						"server %.2f cores, %,d files, live heap %,d of %,d MB, %,d MB resident; %s", this.serverCores,
						this.files, this.heapKb / 1024, this.maxHeapKb / 1024, this.residentKb / 1024, own);
	}

}
