package io.parley.loadtest.pubsub;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.loadtest.cli.Target;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.session.ParleyDialect;
import io.parley.loadtest.session.Publisher;
import io.parley.loadtest.session.Session;
import io.parley.loadtest.session.SessionGroup;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import org.HdrHistogram.Histogram;

/**
 * Rooms with members who send at one rate or at several, one after the other. The trial
 * passes when every delivery was correct at each rate.
 */
final class PubsubTrial implements AutoCloseable {

	private static final List<String> COLUMNS = List.of("messages/s asked", "sent/s", "delivered/s", "p50 ms", "p90 ms",
			"p99 ms", "max ms", "lost", "generator cores");

	private static final String ROW = "%16s %10s %12s %9s %9s %9s %9s %6s %15s%n";

	private final List<Step> steps = new ArrayList<>();

	private final PubsubCommand options;

	private final Trial trial;

	private final Measures measures;

	private final SessionGroup sessions;

	/**
	 * The result of one rate.
	 *
	 * @param sent messages per second
	 * @param delivered deliveries per second
	 * @param micros from the scheduled SEND to each MESSAGE
	 */
	private record Step(double asked, double sent, double delivered, Histogram micros, long lost, Generator.Use use) {

		double millis(double percentile) {
			return Latencies.millis(this.micros, percentile);
		}

		List<Object> row() {
			return List.of(this.asked, this.sent, this.delivered, millis(50), millis(90), millis(99), millis(100),
					this.lost, this.use.cores());
		}

	}

	PubsubTrial(PubsubCommand options, Target target, Trial trial) {
		this.options = options;
		this.trial = trial;
		this.measures = trial.measures;
		this.sessions = new SessionGroup(target, options.sessions(),
				new ParleyDialect(trial.run, this.measures, options.size), this.measures);
	}

	RunReport run(List<Account> accounts) {
		int count = this.options.sessions();
		if (this.sessions.connect(accounts, this.options.connectRate)) {
			steps(new Publisher(publishers(), this.trial.run, this.measures));
		}
		long held = this.measures.live.sum();
		this.sessions.leave(this.options.drain);
		boolean passed = this.measures.passed(count) && this.steps.size() == this.options.totals().length;
		String title = String.format(Locale.ROOT,
				"pubsub, %,d rooms of %,d sessions, %s messages/s, %d s each, %s bytes of text (run %s)",
				this.options.rooms, this.options.members, Arrays.toString(this.options.totals()),
				this.options.hold.toSeconds(), (this.options.size > 0) ? this.options.size : "few", this.trial.run);
		double maxDelivered = this.steps.stream().mapToDouble(Step::delivered).max().orElse(0);
		this.trial.console.title(passed, title);
		this.trial.console.latencies();
		System.out.printf(ROW, COLUMNS.toArray());
		this.steps.forEach((step) -> System.out.printf(ROW, Figures.cells(step.row())));
		this.trial.console.counts(count, false, held, maxDelivered);
		this.steps.forEach(
				(step) -> this.trial.lower("p99 at %,.0f messages/s".formatted(step.asked), step.millis(99), "ms"));
		return this.trial.higher("deliveries", maxDelivered, "1/s")
			.add(new Table("Latency against load", COLUMNS, this.steps.stream().map(Step::row).toList(), note()))
			.addAll(curve())
			.addAll(Latencies.spectrum("Percentiles at each rate", spectra()))
			.add(this.measures, this.sessions.timeLine())
			.finish(passed, title,
					this.measures.verdict(passed,
							String.format(Locale.ROOT, "each of %,d deliveries was correct, at most %,.0f a second",
									this.measures.delivered.sum(), maxDelivered),
							count));
	}

	private void steps(Publisher publisher) {
		double[] totals = this.options.totals();
		if (this.options.warmup.isPositive()) {
			this.sessions.timeLine().phase("warming up", this.options.warmup);
			publisher.warmUp(totals[0], this.options.warmup);
		}
		for (double total : totals) {
			this.sessions.timeLine().phase("%.0f/s".formatted(total), this.options.hold);
			this.steps.add(step(publisher, total));
			if (!this.measures.passed(this.options.sessions())) {
				return;
			}
		}
	}

	private Step step(Publisher publisher, double total) {
		Histogram before = this.measures.delivering.copy();
		long sentBefore = this.measures.sent.sum();
		long deliveredBefore = this.measures.delivered.sum();
		long lostBefore = this.measures.lost.sum();
		Generator then = Generator.now();
		publisher.holdFor(total, this.options.hold);
		Generator.Use use = then.until(Generator.now());
		double sent = use.perSecond(this.measures.sent.sum() - sentBefore);
		double delivered = use.perSecond(this.measures.delivered.sum() - deliveredBefore);
		this.sessions.drain(this.options.drain);
		Histogram micros = this.measures.delivering.copy();
		micros.subtract(before);
		return new Step(total, sent, delivered, micros, this.measures.lost.sum() - lostBefore, use);
	}

	/**
	 * Returns the same number of senders from each room, with the rooms in turn.
	 */
	private List<Session> publishers() {
		Collection<List<Session>> rooms = this.sessions.all()
			.stream()
			.collect(Collectors.groupingBy((session) -> session.room().id(), LinkedHashMap::new, Collectors.toList()))
			.values();
		int largest = rooms.stream().mapToInt(List::size).max().orElse(0);
		int rounds = (this.options.publishers > 0) ? Math.min(this.options.publishers, largest) : largest;
		return IntStream.range(0, rounds)
			.boxed()
			.flatMap((n) -> rooms.stream().map((room) -> room.get(n % room.size())))
			.toList();
	}

	private String note() {
		return this.steps.stream().anyMatch((step) -> step.use.isSaturated())
				? "This generator was saturated in some steps: their latency includes its own delay."
				: "From the intended SEND to each MESSAGE.";
	}

	private List<Chart> curve() {
		List<Step> ascending = this.steps.stream().sorted(Comparator.comparing(Step::asked)).toList();
		return (ascending.size() < 2) ? List.of()
				: List.of(new Chart("Latency against load", new Axis("messages/s asked", false), new Axis("ms", false),
						IntStream.of(50, 90, 99)
							.mapToObj((percentile) -> Series.of("p" + percentile, ascending, Step::asked,
									(step) -> step.millis(percentile)))
							.toList()));
	}

	private Map<String, Histogram> spectra() {
		Map<String, Histogram> spectra = new LinkedHashMap<>();
		this.steps.forEach((step) -> spectra.put("%,.0f messages/s".formatted(step.asked), step.micros));
		return spectra;
	}

	@Override
	public void close() {
		this.sessions.close();
	}

}
