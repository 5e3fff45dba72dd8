package io.parley.loadtest.capacity;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

import io.parley.loadtest.cli.LoadTestException;
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

	private final Measures measures;

	private Generator before = Generator.now();

	private Histogram startingBefore;

	private double cpuBefore;

	private Generator.Use use = Generator.Use.NONE;

	private double serverCores;

	private @Nullable ProcessStat process;

	private long maxFiles;

	private long heapKb;

	private long maxHeapKb;

	private long ownFiles;

	private boolean late;

	Bottleneck(ServerUnderTest server, Measures measures) {
		this.server = server;
		this.measures = measures;
		this.startingBefore = measures.starting.copy();
		begin();
	}

	/**
	 * Starts the measurement of processor time and of late sends of this process.
	 */
	void begin() {
		this.startingBefore = this.measures.starting.copy();
		this.before = Generator.now();
		ProcessStat now = this.server.process();
		this.cpuBefore = (now != null) ? now.cpuSeconds() : 0;
	}

	/**
	 * Takes the final readings. Call it while the sessions are still connected.
	 */
	void end() {
		this.use = this.before.until(Generator.now());
		this.ownFiles = Generator.openFiles();
		Histogram starting = this.measures.starting.copy();
		starting.subtract(this.startingBefore);
		this.late = Latencies.millis(starting, 99) > LATE_MILLIS;
		Long pid = this.server.pid();
		ProcessStat now = this.server.process();
		this.process = now;
		if (pid == null || now == null) {
			return;
		}
		this.serverCores = this.use.perSecond(now.cpuSeconds() - this.cpuBefore);
		this.maxFiles = ProcessStat.maxOpenFiles(pid);
		try {
			ServerProbe probe = new ServerProbe(pid);
			this.maxHeapKb = probe.maxHeapKb();
			this.heapKb = probe.liveHeapKb();
		}
		catch (LoadTestException ex) {
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

	List<String> limitsReached() {
		Set<String> limits = new LinkedHashSet<>();
		if (this.server.hasEnded()) {
			limits.add("the server's process ended");
		}
		if (this.server.ranOutOfMemory()) {
			limits.add("the server's heap: its log has an OutOfMemoryError");
		}
		this.measures.errors()
			.keySet()
			.stream()
			.map(this::limitOf)
			.filter(Predicate.not(String::isEmpty))
			.forEach(limits::add);
		addServerLimits(limits);
		if (!isGeneratorFine()) {
			limits.add("this generator is saturated, so the trial is not valid and says nothing about the server");
		}
		if (this.ownFiles > NEARLY * Generator.maxOpenFiles()) {
			limits.add("the open files of this generator, not of the server: " + this.ownFiles);
		}
		return limits.isEmpty() ? List.of("none of the observed resources is at its limit") : List.copyOf(limits);
	}

	/**
	 * Returns the limit that causes errors of that kind; an empty text when there is
	 * none.
	 */
	private String limitOf(String error) {
		if (error.contains("Retry-After 10 s")) {
			return "the server's own limit of sessions, chat.limits.sessions"
					+ (this.server.isBehindNginx() ? ", or that of nginx, CHAT_MAX_CONNECTIONS" : "");
		}
		if (error.contains("Retry-After 1 s")) {
			return "the server's own limit of new sessions, chat.limits.connects-per-second";
		}
		if (error.contains("too-many-sessions")) {
			return "the server's own limit for one user, chat.limits.sessions-per-user";
		}
		if (error.contains("Cannot assign requested address") || error.contains("Too many open files")) {
			return "ports or files of this generator, not of the server (" + error + ")";
		}
		return error.contains("Connection refused") ? "the server's port is closed" : "";
	}

	private void addServerLimits(Set<String> limits) {
		if (this.server.pid() == null) {
			limits.add("the server's process is unknown: pass it with --server-pid");
			return;
		}
		long files = (this.process != null) ? this.process.openFiles() : 0;
		if (this.maxFiles > 0 && files > NEARLY * this.maxFiles) {
			limits.add("the server's open files: " + files);
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

	String facts() {
		String own = String.format(Locale.ROOT, "generator %.2f cores, %,d files", this.use.cores(), this.ownFiles);
		ProcessStat last = this.process;
		return (this.server.pid() == null) ? own
				: String.format(Locale.ROOT,
						"server %.2f cores, %,d files, live heap %,d of %,d MB, %,d MB resident; %s", this.serverCores,
						(last != null) ? last.openFiles() : 0, this.heapKb / 1024, this.maxHeapKb / 1024,
						(last != null) ? last.residentBytes() / 1024 / 1024 : 0, own);
	}

}
