package io.parley.loadtest.pubsub;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.Verdicts;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.session.ParleyDialect;
import io.parley.loadtest.session.Publisher;
import io.parley.loadtest.session.Session;
import io.parley.loadtest.session.Sessions;
import io.parley.loadtest.trial.Report;
import io.parley.loadtest.trial.TrialReport;
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

	private final Measures measures = new Measures();

	private final List<Step> steps = new ArrayList<>();

	private final PubsubOptions options;

	private final String run;

	private final Sessions sessions;

	/**
	 * The result of one rate.
	 *
	 * @param sent messages per second
	 * @param delivered deliveries per second
	 * @param micros from the scheduled SEND to each MESSAGE
	 */
	private record Step(double asked, double sent, double delivered, Histogram micros, long lost, Generator.Use use) {

		List<Object> row() {
			return List.of(this.asked, this.sent, this.delivered, Latencies.millis(this.micros, 50),
					Latencies.millis(this.micros, 90), Latencies.millis(this.micros, 99),
					Latencies.millis(this.micros, 100), this.lost, this.use.cores());
		}

	}

	PubsubTrial(PubsubOptions options, String run) {
		this.options = options;
		this.run = run;
		this.sessions = new Sessions(options.target, options.sessions(),
				new ParleyDialect(run, this.measures, options.size), this.measures);
	}

	/**
	 * Runs the trial, prints the results, and completes the report.
	 */
	RunReport run(List<Account> accounts, TrialReport trial) {
		int count = this.options.sessions();
		if (this.sessions.connect(accounts, count, this.options.connectRate, this.run)) {
			steps(new Publisher(publishers(), this.run, this.measures));
		}
		long held = this.measures.live.sum();
		this.sessions.leave(this.options.drain);
		boolean passed = this.measures.passed(count) && this.steps.size() == this.options.totals().length;
		String title = String.format(Locale.ROOT,
				"pubsub, %,d rooms of %,d sessions, %s messages/s, %d s each, %s bytes of text (run %s)",
				this.options.rooms, this.options.members, Arrays.toString(this.options.totals()),
				this.options.hold.toSeconds(), (this.options.size > 0) ? this.options.size : "few", this.run);
		print(passed, title, held);
		this.steps.forEach((step) -> trial.lower("p99 at %,.0f messages/s".formatted(step.asked),
				Latencies.millis(step.micros, 99), "ms"));
		trial.higher("deliveries", maxDelivered(), "1/s")
			.add(new Table("Latency against load", COLUMNS, this.steps.stream().map(Step::row).toList(), note()))
			.addAll(curve())
			.addAll(Latencies.spectrum("Percentiles at each rate", spectra()))
			.add(this.measures, this.sessions.timeLine());
		return trial.finish(passed, title,
				Verdicts.of(passed,
						String.format(Locale.ROOT, "each of %,d deliveries was correct, at most %,.0f a second",
								this.measures.delivered.sum(), maxDelivered()),
						this.measures, count));
	}

	private void steps(Publisher publisher) {
		double[] totals = this.options.totals();
		if (this.options.warmup.isPositive()) {
			this.sessions.progress().phase("warming up", this.options.warmup);
			publisher.warmUp(totals[0], this.options.warmup);
		}
		for (double total : totals) {
			this.sessions.progress().phase("%.0f/s".formatted(total), this.options.hold);
			this.steps.add(step(publisher, total));
			boolean fine = this.measures.passed(this.options.sessions());
			if (!fine || Interrupt.requested()) {
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
		double sent = (this.measures.sent.sum() - sentBefore) * 1e9 / use.nanos();
		double delivered = (this.measures.delivered.sum() - deliveredBefore) * 1e9 / use.nanos();
		this.sessions.drain(this.options.drain);
		Histogram micros = this.measures.delivering.copy();
		micros.subtract(before);
		return new Step(total, sent, delivered, micros, this.measures.lost.sum() - lostBefore, use);
	}

	/**
	 * Returns the same number of senders from each room, with the rooms in turn.
	 */
	private List<Session> publishers() {
		int most = (this.options.publishers > 0) ? this.options.publishers : Integer.MAX_VALUE;
		List<List<Session>> rooms = List.copyOf(this.sessions.all()
			.stream()
			.collect(Collectors.groupingBy((session) -> session.room().id(), LinkedHashMap::new, Collectors.toList()))
			.values());
		int rounds = Math.min(most, rooms.stream().mapToInt(List::size).max().orElse(0));
		List<Session> publishers = new ArrayList<>();
		for (int n = 0; n < rounds; n++) {
			for (List<Session> room : rooms) {
				publishers.add(room.get(n % room.size()));
			}
		}
		return publishers;
	}

	private double maxDelivered() {
		return this.steps.stream().max(Comparator.comparing(Step::delivered)).map(Step::delivered).orElse(0.0);
	}

	private String note() {
		return this.steps.stream().anyMatch((step) -> step.use.isSaturated())
				? "This generator was saturated in some steps: their latency includes its own delay."
				: "From the intended SEND to each MESSAGE.";
	}

	private List<Chart> curve() {
		if (this.steps.size() < 2) {
			return List.of();
		}
		return List.of(new Chart("Latency against load", new Axis("messages/s asked", false), new Axis("ms", false),
				List.of(line("p50", (step) -> Latencies.millis(step.micros, 50)),
						line("p90", (step) -> Latencies.millis(step.micros, 90)),
						line("p99", (step) -> Latencies.millis(step.micros, 99)))));
	}

	private Series line(String name, ToDoubleFunction<Step> value) {
		List<Step> ascending = this.steps.stream().sorted(Comparator.comparing(Step::asked)).toList();
		return new Series(name, ascending.stream().map(Step::asked).toList(),
				ascending.stream().map(value::applyAsDouble).toList());
	}

	private Map<String, Histogram> spectra() {
		Map<String, Histogram> spectra = new LinkedHashMap<>();
		this.steps.forEach((step) -> spectra.put("%,.0f messages/s".formatted(step.asked), step.micros));
		return spectra;
	}

	private void print(boolean passed, String title, long held) {
		Report report = new Report(System.out, this.measures);
		report.line("");
		report.title(passed, title);
		report.latencies();
		System.out.printf(ROW, COLUMNS.toArray());
		this.steps.forEach((step) -> System.out.printf(ROW,
				step.row()
					.stream()
					.map((cell) -> (cell instanceof Double) ? String.format(Locale.ROOT, "%,.2f", cell) : cell)
					.toArray()));
		report.counts(this.options.sessions(), false, held, maxDelivered());
	}

	@Override
	public void close() {
		this.sessions.close();
	}

}
