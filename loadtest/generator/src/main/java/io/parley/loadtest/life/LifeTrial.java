package io.parley.loadtest.life;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.life.Costs.Cost;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.ServerMeter;
import io.parley.loadtest.measure.ServerMeter.Counters;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.session.Pace;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.People;
import io.parley.loadtest.user.People.SignedIn;
import io.parley.loadtest.user.RestApi;

/**
 * Connects all users, measures the costs of single actions, lets the users live for a
 * while, and waits until each one has everything.
 */
final class LifeTrial implements AutoCloseable {

	private static final long TICK_MILLIS = 1000 / Churn.TICKS_PER_SECOND;

	private static final Duration LONGEST_LEAVE = Duration.ofSeconds(15);

	private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);

	private final LifeOptions options;

	private final Trial trial;

	private final LifeMeasures measures;

	private final TimeLine timeLine;

	private final ServerMeter meter;

	private final Connector connector;

	private final LifeContext life;

	private final List<LifeUser> users;

	private final People people;

	private final Writing writing;

	private final Churn churn;

	private int ticks;

	/**
	 * The findings of a run, in addition to its measures.
	 *
	 * @param requestsAtStart while all users connected
	 * @param connecting counters of the server in that time
	 * @param holding the same during the hold
	 */
	record Outcome(long live, Table requestsAtStart, List<Cost> costs, ServerMeter.Growth connecting,
			ServerMeter.Growth holding, Generator.Use use, long delivered) {
	}

	LifeTrial(LifeOptions options, Target target, Trial trial, RestApi api, People people, List<SignedIn> signedIn) {
		this.options = options;
		this.trial = trial;
		this.people = people;
		this.measures = new LifeMeasures(trial.measures);
		this.timeLine = new TimeLine(trial.measures);
		this.meter = new ServerMeter(options.management);
		this.connector = new Connector(target, signedIn.size());
		this.life = new LifeContext(trial.run, this.measures, new LifeRest(api, this.measures), this.connector,
				people.rooms(), options);
		Random random = new Random(options.seed);
		this.users = signedIn.stream()
			.map((user) -> new LifeUser(this.life, user, random.nextDouble() < options.looking))
			.toList();
		this.writing = new Writing(this.users, trial.run, options, this.clock);
		this.churn = new Churn(this.users, options, this.measures, this.clock);
	}

	RunReport run() {
		this.clock.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
		Counters atStart = this.meter.read();
		boolean live = connect();
		ServerMeter.Growth connecting = this.meter.read().since(atStart);
		Table requestsAtStart = Latencies.table("Requests while all connected", this.measures.requests());
		List<Cost> costs = live ? costs() : List.of();
		ServerMeter.Growth holding = ServerMeter.Growth.UNKNOWN;
		Generator.Use use = Generator.Use.NONE;
		long delivered = 0;
		if (live && !Interrupt.requested()) {
			this.timeLine.phase("warming up", this.options.warmup.plus(this.options.hold));
			this.life.reading = true;
			write(this.options.warmup, false);
			this.measures.forget();
			Generator before = Generator.now();
			Counters from = this.meter.read();
			long deliveredBefore = this.measures.all.delivered.sum();
			hold();
			delivered = this.measures.all.delivered.sum() - deliveredBefore;
			holding = this.meter.read().since(from);
			use = before.until(Generator.now());
			drain();
		}
		long liveAtEnd = this.users.stream().filter(LifeUser::isLive).count();
		leave();
		return new LifeReport(this.options, this.trial, this.measures, this.people)
			.finish(new Outcome(liveAtEnd, requestsAtStart, costs, connecting, holding, use, delivered), this.timeLine);
	}

	private boolean connect() {
		this.timeLine.phase("connecting", Duration.ofSeconds((long) (this.users.size() / this.options.connectRate)));
		Pace pace = Pace.startingNow(this.options.connectRate);
		for (int n = 0; n < this.users.size() && !Interrupt.requested(); n++) {
			Measures.since(pace.await(n), this.measures.all.starting);
			this.users.get(n).connect();
		}
		return areAllLive(this.options.liveWithin);
	}

	private boolean areAllLive(Duration longest) {
		return Waiting.until(longest, () -> this.measures.all.live.sum() == this.users.size());
	}

	private List<Cost> costs() {
		if (this.options.costs == 0) {
			return List.of();
		}
		this.timeLine.phase("costs", Duration.ZERO);
		List<Cost> costs = new Costs(this.life, this.meter, this.writing, this.users, this.people.rooms(),
				this.options.costs)
			.measure();
		areAllLive(this.options.liveWithin);
		return costs;
	}

	private void hold() {
		this.timeLine.phase("holding", this.options.hold);
		this.churn.start();
		if (this.options.storm) {
			this.clock.schedule(this.churn::storm, this.options.hold.toMillis() / 2, TimeUnit.MILLISECONDS);
		}
		write(this.options.hold, true);
		this.churn.stop();
	}

	private void write(Duration length, boolean counts) {
		long end = System.nanoTime() + length.toNanos();
		if (this.options.rate() > 0) {
			this.writing.write(this.options.rate(), length, counts);
		}
		Waiting.pass(Duration.ofNanos(end - System.nanoTime()));
	}

	/**
	 * Waits until all users are live and have everything, and counts what is missing.
	 */
	private void drain() {
		this.timeLine.phase("draining", Duration.ZERO);
		Waiting.until(this.options.drain, () -> areAllLive(Duration.ZERO) && unconfirmed() == 0 && missing() == 0);
		if (!Interrupt.requested()) {
			this.measures.all.lost.add(missing());
			this.measures.all.errors("no receipt for a SEND", unconfirmed());
			this.measures.all.errors("not live at the end",
					this.users.stream().filter((user) -> !user.isLive()).count());
		}
	}

	private long unconfirmed() {
		return this.users.stream().mapToLong((user) -> user.outbox().unconfirmed()).sum();
	}

	private long missing() {
		return this.life.unseen() + this.users.stream().mapToLong(LifeUser::missing).sum();
	}

	private void leave() {
		this.timeLine.phase("leaving", Duration.ZERO);
		this.users.forEach(LifeUser::leave);
		Waiting.until(LONGEST_LEAVE, () -> this.measures.all.live.sum() == 0);
	}

	private void tick() {
		long now = System.nanoTime();
		this.users.forEach((user) -> user.tick(now));
		this.churn.tick();
		if (this.ticks++ % Churn.TICKS_PER_SECOND == 0) {
			this.timeLine.tick(this.users.size());
		}
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.life.threads.shutdownNow();
		this.connector.close();
		this.meter.close();
	}

}
