package io.parley.loadtest.capacity;

import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

import io.parley.loadtest.capacity.ClassicUser.Step;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.session.Pace;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.user.Account;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * One run of the classic test with a given number of users.
 */
final class ClassicLevel {

	private static final Duration LONGEST = Duration.ofSeconds(40);

	private static final int STEPS = Step.values().length;

	private final Map<Step, Histogram> steps = new EnumMap<>(Step.class);

	private final Histogram all = new ConcurrentHistogram(TimeUnit.HOURS.toMicros(1), 3);

	private final Measures measures = new Measures();

	private final LongAdder failedSteps = new LongAdder();

	private final AtomicInteger present = new AtomicInteger();

	private final AtomicInteger maxConcurrent = new AtomicInteger();

	private final AtomicInteger over = new AtomicInteger();

	private final int users;

	/**
	 * Summary of one run.
	 *
	 * @param averageMillis over all completed steps
	 * @param errorPercent percentage of steps that failed or could not be taken
	 * @param perSecond completed steps per second, of all users
	 * @param micros of all completed steps
	 * @param maxConcurrent the largest number of concurrent users
	 */
	record Summary(int users, double averageMillis, double errorPercent, double perSecond, Histogram micros,
			Map<String, Histogram> steps, Map<String, Long> errors, int maxConcurrent) {

		List<Object> row(int repetition) {
			return List.of(this.users, repetition, this.averageMillis, this.micros.getMinValue() / 1000.0, millis(100),
					this.errorPercent, this.perSecond, millis(50), millis(90), millis(95), millis(99),
					this.maxConcurrent);
		}

		private double millis(double percentile) {
			return Latencies.millis(this.micros, percentile);
		}

		boolean hasPassed() {
			return this.errorPercent == 0 && this.micros.getTotalCount() > 0;
		}

	}

	private ClassicLevel(int users) {
		this.users = users;
		for (Step step : Step.values()) {
			this.steps.put(step, new ConcurrentHistogram(TimeUnit.HOURS.toMicros(1), 3));
		}
	}

	/**
	 * Starts all users within the ramp, and waits until each has finished.
	 */
	static Summary run(int users, Target target, List<Account> accounts, Duration ramp) {
		return new ClassicLevel(users).run(target, accounts, ramp);
	}

	private Summary run(Target target, List<Account> accounts, Duration ramp) {
		long start = System.nanoTime();
		Pace pace = new Pace(start, this.users * 1e9 / Math.max(1, ramp.toNanos()));
		List<ClassicUser> all = IntStream.range(0, this.users)
			.mapToObj((n) -> new ClassicUser(accounts.get(n % accounts.size()), this, pace.intended(n)))
			.toList();
		ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
		try (Connector connector = new Connector(target, this.users)) {
			clock.scheduleAtFixedRate(() -> all.forEach((user) -> user.tick(System.nanoTime())), 1, 1,
					TimeUnit.SECONDS);
			for (int n = 0; n < this.users && !Interrupt.requested(); n++) {
				pace.await(n);
				this.maxConcurrent.accumulateAndGet(this.present.incrementAndGet(), Math::max);
				connector.open(all.get(n));
			}
			Waiting.until(LONGEST, () -> this.over.get() == this.users);
			long end = System.nanoTime();
			all.forEach((user) -> user.fail("not over in time"));
			return summary(end - start);
		}
		finally {
			clock.shutdownNow();
		}
	}

	void done(Step step, long nanos) {
		long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
		this.all.recordValue(micros);
		Objects.requireNonNull(this.steps.get(step)).recordValue(micros);
	}

	void over() {
		this.present.decrementAndGet();
		this.over.incrementAndGet();
	}

	/**
	 * Called when a user failed at that step. The step and all steps after it count as
	 * failed.
	 */
	void failed(Step step, String error) {
		this.failedSteps.add(STEPS - step.ordinal());
		this.measures.error(step.label() + ": " + error);
		over();
	}

	private Summary summary(long nanos) {
		Map<String, Histogram> labelled = new LinkedHashMap<>();
		this.steps.forEach((step, micros) -> labelled.put(step.label(), micros));
		double asked = (double) this.users * STEPS;
		return new Summary(this.users, this.all.getMean() / 1000, 100 * this.failedSteps.sum() / asked,
				this.all.getTotalCount() * 1e9 / nanos, this.all, labelled, this.measures.errors(),
				this.maxConcurrent.get());
	}

}
