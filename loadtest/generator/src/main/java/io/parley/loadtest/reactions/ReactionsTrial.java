package io.parley.loadtest.reactions;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.session.ParleyDialect;
import io.parley.loadtest.session.Publisher;
import io.parley.loadtest.session.SessionGroup;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;
import org.HdrHistogram.Histogram;

/**
 * Rounds without and with reactions. The trial passes when every delivery was correct,
 * the counts in the end are those of the reactions sent, and each server sent at most one
 * event a second.
 */
final class ReactionsTrial implements AutoCloseable {

	private static final List<String> COLUMNS = List.of("round", "p50 ms without", "p50 ms with", "p99 ms without",
			"p99 ms with", "reactions/s", "events/s", "counts");

	private static final String ROW = "%6s %16s %13s %16s %13s %13s %10s %8s%n";

	/** Longer than a server gathers reactions. */
	private static final Duration SETTLED_WITHIN = Duration.ofSeconds(15);

	private final List<Round> rounds = new ArrayList<>();

	private final ReactionsCommand options;

	private final Trial trial;

	private final Measures measures;

	private final SessionGroup sessions;

	private final List<Account> accounts;

	private final RestApi api;

	private final String room;

	private final String token;

	private int targets;

	/**
	 * The result of one round.
	 *
	 * @param quiet from the scheduled SEND to each MESSAGE, without reactions
	 * @param busy the same with reactions
	 * @param reactions sent
	 * @param events that the room got for them
	 * @param exact whether the counts in the end are those of the reactions sent
	 */
	private record Round(Histogram quiet, Histogram busy, long reactions, long events, boolean exact, Duration length) {

		List<Object> row(int number) {
			double seconds = this.length.toMillis() / 1e3;
			return List.of(number, Latencies.millis(this.quiet, 50), Latencies.millis(this.busy, 50),
					Latencies.millis(this.quiet, 99), Latencies.millis(this.busy, 99), this.reactions / seconds,
					this.events / seconds, this.exact ? "exact" : "WRONG");
		}

	}

	ReactionsTrial(ReactionsCommand options, Target target, Trial trial, List<Account> accounts) {
		this.options = options;
		this.trial = trial;
		this.measures = trial.measures;
		this.accounts = accounts;
		this.room = accounts.getFirst().room().id();
		this.token = accounts.getFirst().token();
		this.api = new RestApi(target.url);
		this.sessions = new SessionGroup(target, options.users, new ParleyDialect(trial.run, this.measures),
				this.measures);
	}

	RunReport run() {
		int count = this.options.users;
		Generator.Use use = Generator.Use.NONE;
		if (this.sessions.connect(this.accounts, this.options.connectRate)) {
			Generator before = Generator.now();
			rounds(new Publisher(this.sessions.all(), this.trial.run, this.measures));
			use = before.until(Generator.now());
		}
		long held = this.measures.live.sum();
		this.sessions.leave(this.options.drain);
		boolean exact = this.rounds.size() == this.options.rounds && this.rounds.stream().allMatch(Round::exact);
		boolean few = this.rounds.stream().allMatch((round) -> round.events <= mostEvents());
		boolean passed = exact && few && this.measures.passed(count);
		String title = String.format(Locale.ROOT,
				"reactions, %,d users, each %s reactions/s, %s messages/s, %d rounds of 2 · %d s (run %s)", count,
				this.options.perUser, this.options.rate, this.options.rounds, this.options.hold.toSeconds(),
				this.trial.run);
		this.trial.console.title(passed, title);
		this.trial.console.latencies();
		System.out.printf(ROW, COLUMNS.toArray());
		rows().forEach((row) -> System.out.printf(ROW, Figures.cells(row)));
		this.trial.console.counts(count, false, held, use.perSecond(this.measures.delivered.sum()));
		this.trial.console.generator("this generator", Generator.heap(), use.cores());
		if (!this.rounds.isEmpty()) {
			this.trial.lower("p99 of messages with reactions / without", ratio(), "");
		}
		return this.trial.add(new Table("Messages without and with reactions", COLUMNS, rows(),
				"From the intended SEND to each MESSAGE. Messages are sent at random times, at the same ones without and with"
						+ " reactions. Events are those of the message in the feed."))
			.generator(use.cores())
			.add(this.measures, this.sessions.timeLine())
			.finish(passed, title, verdict(passed, exact, few, count));
	}

	private String verdict(boolean passed, boolean exact, boolean few, int count) {
		if (this.measures.passed(count) && !exact) {
			return "The counts are not those of the reactions sent: the server refused some, as with a limit"
					+ " (chat.limits.reactions-per-second), or lost some.";
		}
		if (this.measures.passed(count) && !few) {
			return "The servers sent more than one event a second for a message.";
		}
		return this.measures.verdict(passed, String.format(Locale.ROOT,
				"all counts are exact, and the p99 of messages with reactions is %.2f of that without", ratio()),
				count);
	}

	private void rounds(Publisher publisher) {
		this.sessions.timeLine().phase("warming up", this.options.warmup);
		Reactors practice = new Reactors(this.sessions.all(), post());
		beside(practice, this.options.warmup, () -> publisher.warmUp(this.options.rate, this.options.warmup));
		for (int n = 0; n < this.options.rounds && !Interrupt.requested(); n++) {
			this.sessions.timeLine().phase("without reactions", this.options.hold);
			long seed = n;
			Runnable sending = () -> publisher.holdAtRandom(this.options.rate, this.options.hold, seed);
			Histogram quiet = measured(sending);
			long target = post();
			Reactors reactors = new Reactors(this.sessions.all(), target);
			this.sessions.timeLine().phase("with reactions", this.options.hold);
			Histogram busy = measured(() -> beside(reactors, this.options.hold, sending));
			boolean exact = Waiting.until(SETTLED_WITHIN, () -> counts(target).equals(reactors.counts()));
			this.rounds.add(new Round(quiet, busy, reactors.sent(), events(target), exact, this.options.hold));
		}
	}

	/**
	 * Lets users react for a time while something else is done.
	 */
	private void beside(Reactors reactors, Duration length, Runnable action) {
		long end = System.nanoTime() + length.toNanos();
		CompletableFuture<Void> reacting = CompletableFuture
			.runAsync(() -> reactors.react(this.options.perUser * this.options.users, end), Thread::startVirtualThread);
		action.run();
		reacting.join();
	}

	/**
	 * Returns the latencies of the messages that are sent meanwhile.
	 */
	private Histogram measured(Runnable sending) {
		Histogram before = this.measures.delivering.copy();
		sending.run();
		this.sessions.drain(this.options.drain);
		Histogram micros = this.measures.delivering.copy();
		micros.subtract(before);
		return micros;
	}

	/**
	 * Posts the message that is reacted to, and returns its position.
	 */
	private long post() {
		return this.api.postMessage(this.token, this.room, "target-" + this.targets++, "React to this");
	}

	private Map<String, Integer> counts(long target) {
		Map<String, Integer> counts = new HashMap<>();
		this.api.view(this.token, this.room, target - 1, 1)
			.path(0)
			.path("reactions")
			.forEachEntry((key, reaction) -> counts.put(key, reaction.path("n").asInt()));
		return counts;
	}

	/** Returns the number of events about the reactions to a message. */
	private long events(long target) {
		return this.api.history(this.token, this.room)
			.stream()
			.filter((event) -> event.path("type").asString().equals("reaction.changed")
					&& event.path("target").asLong() == target)
			.count();
	}

	/** The first event comes at once, and the last one after the end. */
	private long mostEvents() {
		return this.options.servers * (this.options.hold.toSeconds() + 2);
	}

	/**
	 * Returns the median of the ratios of the rounds.
	 */
	private double ratio() {
		List<Double> ratios = this.rounds.stream()
			.map((round) -> Latencies.millis(round.busy, 99) / Math.max(0.001, Latencies.millis(round.quiet, 99)))
			.sorted()
			.toList();
		return ratios.isEmpty() ? Double.NaN : ratios.get(ratios.size() / 2);
	}

	private List<List<Object>> rows() {
		List<List<Object>> rows = new ArrayList<>();
		this.rounds.forEach((round) -> rows.add(round.row(rows.size() + 1)));
		return rows;
	}

	@Override
	public void close() {
		this.sessions.close();
		this.api.close();
	}

}
