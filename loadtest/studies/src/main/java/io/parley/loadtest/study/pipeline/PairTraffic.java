package io.parley.loadtest.study.pipeline;

import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.idle.IdleResult.Latency;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.ReaderLag;
import io.parley.loadtest.report.Figures;
import io.parley.loadtest.session.Pace;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.study.client.RoomChannel;
import io.parley.loadtest.study.pipeline.PairLedger.Step;
import io.parley.loadtest.study.pipeline.PairResult.Steps;
import io.parley.loadtest.study.pipeline.PipelineCommand.Plan;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.Population;
import io.parley.loadtest.user.RestApi;

/**
 * Sends through pairs as fast as the server confirms, and audits the outcome.
 */
final class PairTraffic implements AutoCloseable {

	/** New sessions per second. */
	private static final double CONNECT_RATE = 200;

	private static final int READERS = 4;

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(60);

	private final String run = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);

	private final Measures measures = new Measures();

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final URI metrics;

	private final Plan plan;

	private final RestApi api;

	private final Connector connector;

	private final List<Account> accounts;

	private final List<PairLedger> ledgers;

	private final List<PairSender> senders;

	private final List<PairReceiver> receivers;

	/**
	 * Creates the traffic and signs up both users of each pair.
	 * @param metrics of the server that stores
	 */
	PairTraffic(URI url, URI metrics, Plan plan) {
		this.metrics = metrics;
		this.plan = plan;
		Target target = new Target();
		target.url = url;
		this.api = new RestApi(url);
		this.connector = new Connector(target, 2 * plan.pairs());
		this.accounts = new Population(this.api, this.run, plan.pairs()).create(2 * plan.pairs());
		this.ledgers = Stream.generate(PairLedger::new).limit(plan.pairs()).toList();
		this.senders = IntStream.range(0, plan.pairs())
			.mapToObj((n) -> new PairSender(this.accounts.get(n), this.run, this.ledgers.get(n), plan.window(),
					plan.messages(), this.measures))
			.toList();
		this.receivers = IntStream.range(0, plan.pairs())
			.mapToObj((n) -> new PairReceiver(this.accounts.get(plan.pairs() + n), this.run, this.ledgers.get(n),
					this.measures))
			.toList();
	}

	/**
	 * Runs the plan.
	 * @throws LoadTestException when a client cannot connect, or when the run is
	 * interrupted
	 */
	PairResult run() {
		connect();
		long from = System.nanoTime();
		this.clock.scheduleAtFixedRate(() -> progress(from), 5, 5, TimeUnit.SECONDS);
		this.senders.forEach(PairSender::start);
		long end = from + this.plan.duration().toNanos();
		LongAdder all = this.measures.accepted;
		long sent = waitFor(() -> this.senders.stream().allMatch(PairSender::isDone) || System.nanoTime() - end > 0,
				all);
		this.senders.forEach(PairSender::stop);
		long accepted = waitFor(() -> all.sum() == this.measures.sent.sum(), all);
		long delivered = waitFor(() -> this.measures.delivered.sum() >= all.sum(), this.measures.delivered);
		double stored = awaitStored(from);
		Stream.concat(this.senders.stream(), this.receivers.stream()).forEach(RoomChannel::leave);
		long live = count(Step.DELIVERED);
		Steps<Double> seconds = new Steps<>((sent - from) / 1e9, (accepted - from) / 1e9, (delivered - from) / 1e9,
				stored);
		return result(from, delivered, seconds, live, audit());
	}

	private void connect() {
		List<RoomChannel> all = Stream.<RoomChannel>concat(this.receivers.stream(), this.senders.stream()).toList();
		this.clock.scheduleAtFixedRate(() -> all.forEach((one) -> one.tick(System.nanoTime())), 1, 1, TimeUnit.SECONDS);
		Pace pace = Pace.startingNow(CONNECT_RATE);
		for (int n = 0; n < all.size(); n++) {
			pace.await(n);
			this.connector.open(all.get(n));
		}
		long end = System.nanoTime() + CONNECT_TIMEOUT.toNanos();
		while (!all.stream().allMatch((one) -> one.isReady() && !one.isOver())) {
			if (System.nanoTime() - end > 0 || all.stream().anyMatch(RoomChannel::isOver)) {
				throw new LoadTestException(
						"Not all of %,d clients could connect: %s".formatted(all.size(), this.measures.errors()));
			}
			pause(POLL_NANOS);
		}
	}

	private static void pause(long nanos) {
		Interrupt.check();
		LockSupport.parkNanos(nanos);
	}

	/**
	 * Waits until all records that are in the log by now are also in the database.
	 */
	private double awaitStored(long from) {
		try (ReaderLag lag = new ReaderLag(this.metrics)) {
			long end = System.nanoTime() + Math.max(this.plan.settle().toNanos(), System.nanoTime() - from);
			while (!lag.isZero()) {
				if (System.nanoTime() - end > 0) {
					// Without this error the run could pass: the history also shows
					// messages that are only in the log.
					this.measures.error("the persistence-worker is still behind");
					break;
				}
				pause(10 * POLL_NANOS);
			}
			return since(from);
		}
	}

	/**
	 * Waits while there is progress.
	 * @return the time when the condition became true, or the time of the last progress
	 */
	private long waitFor(BooleanSupplier condition, LongAdder moving) {
		long last = moving.sum();
		long movedAt = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - movedAt > this.plan.settle().toNanos()) {
				return movedAt;
			}
			long now = moving.sum();
			movedAt = (now != last) ? System.nanoTime() : movedAt;
			last = now;
			pause(POLL_NANOS);
		}
		return System.nanoTime();
	}

	private HistoryAudit audit() {
		System.out.printf("Reading the history of %,d rooms, page by page%n", this.plan.pairs());
		HistoryAudit audit = new HistoryAudit(this.api, this.run);
		try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
			List<Callable<Object>> rooms = IntStream.range(0, this.plan.pairs())
				.mapToObj((n) -> Executors.callable(() -> audit.read(this.accounts.get(n), this.ledgers.get(n))))
				.toList();
			for (Future<?> room : readers.invokeAll(rooms)) {
				room.get();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.measures.error("interrupted while reading the history");
		}
		catch (ExecutionException ex) {
			this.measures.error("history: " + ex.getCause());
		}
		Interrupt.check();
		return audit;
	}

	private PairResult result(long from, long to, Steps<Double> seconds, long live, HistoryAudit audit) {
		Measures found = this.measures;
		long delivered = count(Step.DELIVERED);
		long missing = this.ledgers.stream().mapToLong(PairLedger::missing).sum();
		long misplaced = audit.misplaced.sum() + found.count(Verdict.GAP) + found.count(Verdict.OUT_OF_ORDER)
				+ found.count(Verdict.BROKEN_CHAIN);
		found.errors("messages in the history that this run did not send", audit.foreign.sum());
		return new PairResult(from, to, seconds,
				new Steps<>(found.sent.sum(), found.accepted.sum(), delivered, count(Step.STORED)), delivered - live,
				missing, found.duplicates() + audit.doubled.sum(), misplaced, Latency.of(found.accepting),
				Latency.of(found.delivering), found.errors());
	}

	private void progress(long from) {
		double seconds = since(from);
		long accepted = this.measures.accepted.sum();
		double share = (this.plan.messages() > 0) ? (double) accepted / (this.plan.messages() * this.plan.pairs())
				: seconds * 1e9 / this.plan.duration().toNanos();
		System.out.printf("%4.0f s  sent %,d  accepted %,d (%,.0f/s)  delivered %,d  errors %,d%s%n", seconds,
				this.measures.sent.sum(), accepted, accepted / seconds, this.measures.delivered.sum(),
				this.measures.errorCount(), (share > 0)
						? "  " + Figures.left(Duration.ofSeconds((long) Math.max(0, seconds / share - seconds))) : "");
	}

	private long count(Step step) {
		return this.ledgers.stream().mapToLong((ledger) -> ledger.count(step)).sum();
	}

	private static double since(long from) {
		return (System.nanoTime() - from) / 1e9;
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.connector.close();
		this.api.close();
	}

}
