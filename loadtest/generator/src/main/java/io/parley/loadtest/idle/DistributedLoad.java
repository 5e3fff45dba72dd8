package io.parley.loadtest.idle;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.MeasuresPart;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.trial.ConsoleReport;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import tools.jackson.databind.json.JsonMapper;

/**
 * An idle load in several processes. This process drives them in step and adds up their
 * measures. When one of them ends early, the others are stopped as well and the load has
 * failed.
 */
final class DistributedLoad implements IdleLoad {

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final List<GeneratorProcess> processes = new ArrayList<>();

	private final IdleOptions options;

	private final String run;

	private final Measures measures;

	private final TimeLine timeLine;

	private boolean failed;

	private boolean interrupted;

	DistributedLoad(IdleOptions options, String run, Measures measures) {
		this.options = options;
		this.run = run;
		this.measures = measures;
		this.timeLine = new TimeLine(measures);
		try {
			for (int n = 1; n <= options.processes; n++) {
				this.processes.add(new GeneratorProcess("generator " + n, this::add));
			}
		}
		catch (IOException ex) {
			fail("Could not start a generator process: " + ex.getMessage());
		}
	}

	@Override
	public void watch(Trial trial) {
		for (GeneratorProcess process : this.processes) {
			try {
				trial.watch(process.name(), process.pid(), () -> process.heap().used());
			}
			catch (LoadTestException ex) {
				// The process has already ended, which the first step reports.
			}
		}
	}

	@Override
	public boolean connect(List<Account> accounts) {
		this.clock.scheduleAtFixedRate(() -> this.timeLine.tick(this.options.sessions), 1, 1, TimeUnit.SECONDS);
		step(GeneratorPlan.divide(this.options, this.run, accounts)
			.stream()
			.map(JsonMapper.shared()::writeValueAsString)
			.toList());
		this.timeLine.phase("connecting",
				Duration.ofSeconds((long) (this.options.sessions / this.options.connectRate)));
		step(GeneratorCommand.CONNECT);
		return this.measures.live.sum() == this.options.sessions;
	}

	@Override
	public Hold hold() {
		long from = System.nanoTime() + this.options.warmup.toNanos();
		long to = from + this.options.hold.toNanos();
		if (this.options.warmup.isPositive()) {
			this.timeLine.phase("warming up", this.options.warmup.plus(this.options.hold));
		}
		phaseAt("holding", this.options.hold, from);
		phaseAt("draining", Duration.ZERO, to);
		List<Hold> holds = step(GeneratorCommand.HOLD);
		return new Hold(from, Math.min(to, System.nanoTime()), holds.stream().mapToDouble(Hold::cores).sum(),
				holds.stream().mapToDouble(Hold::acceptedPerSecond).sum(),
				holds.stream().mapToDouble(Hold::deliveriesPerSecond).sum());
	}

	private void phaseAt(String name, Duration expected, long at) {
		this.clock.schedule(() -> this.timeLine.phase(name, expected), at - System.nanoTime(), TimeUnit.NANOSECONDS);
	}

	@Override
	public void leave() {
		this.timeLine.phase("leaving", Duration.ZERO);
		step(GeneratorCommand.LEAVE);
	}

	private List<Hold> step(String order) {
		return step(Collections.nCopies(this.options.processes, order));
	}

	/**
	 * Waits until all processes have completed a step.
	 * @return the results; empty when a process has ended instead
	 */
	private List<Hold> step(List<String> orders) {
		if (this.failed) {
			return List.of();
		}
		List<CompletableFuture<Hold>> pending = IntStream.range(0, orders.size())
			.mapToObj((n) -> this.processes.get(n).begin(orders.get(n)))
			.toList();
		while (!pending.stream().allMatch(CompletableFuture::isDone)
				&& pending.stream().noneMatch(CompletableFuture::isCompletedExceptionally)) {
			forwardInterrupt();
			LockSupport.parkNanos(POLL_NANOS);
		}
		for (CompletableFuture<Hold> one : pending) {
			if (one.isCompletedExceptionally()) {
				fail(String.valueOf(one.exceptionNow().getMessage()));
				return List.of();
			}
		}
		return pending.stream().map(CompletableFuture::join).toList();
	}

	private void forwardInterrupt() {
		if (Interrupt.requested() && !this.interrupted) {
			this.interrupted = true;
			this.processes.forEach((process) -> process.send(GeneratorCommand.INTERRUPT));
		}
	}

	private void fail(String sentence) {
		System.out.println(sentence);
		synchronized (this) {
			this.failed = true;
			this.measures.live.reset();
		}
		this.measures.error(sentence);
		this.processes.forEach(GeneratorProcess::close);
	}

	private synchronized void add(MeasuresPart part) {
		if (!this.failed) {
			part.addTo(this.measures);
		}
	}

	@Override
	public TimeLine timeLine() {
		return this.timeLine;
	}

	@Override
	public void print(ConsoleReport console, double cores) {
		console.generator("%d generators".formatted(this.options.processes),
				this.processes.stream().map(GeneratorProcess::heap).reduce(Generator.Heap.NONE, Generator.Heap::plus),
				cores);
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.processes.forEach(GeneratorProcess::close);
	}

}
