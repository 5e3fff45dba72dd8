package io.parley.loadtest.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.parley.loadtest.capacity.ClassicLevel.Summary;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.Population;

/**
 * Runs the classic test at each level, several times.
 */
final class CapacityLevels {

	private static final int WARM_UP_USERS = 100;

	private static final String ROW = "%7s %4s %10s %10s %10s %9s %12s %9s %9s %9s %9s %9s%n";

	private static final List<String> COLUMNS = List.of("users", "run", "average ms", "min ms", "max ms", "error %",
			"throughput/s", "p50 ms", "p90 ms", "p95 ms", "p99 ms", "at once");

	private static final String STEPS = "A sample is one of seven steps: open the WebSocket, CONNECT (written), read"
			+ " CONNECTED, SUBSCRIBE (written), read its RECEIPT, DISCONNECT (to its RECEIPT), close. A plain"
			+ " WebSocket has one frame between CONNECT and SUBSCRIBE, so the second read of the classic plan, which"
			+ " was made for SockJS, reads the RECEIPT. Steps that could not be taken count as errors. Users connect"
			+ " and disconnect: \"at once\" is the largest number of concurrent users.";

	private final List<Summary> summaries = new ArrayList<>();

	private final List<List<Object>> rows = new ArrayList<>();

	private final CapacityCommand options;

	private final Trial trial;

	private final ServerUnderTest server;

	private List<Account> accounts = List.of();

	CapacityLevels(CapacityCommand options, Trial trial, ServerUnderTest server) {
		this.options = options;
		this.trial = trial;
		this.server = server;
	}

	/** Runs all levels, prints the table, and completes the report. */
	RunReport run() {
		signUp(this.trial.run);
		System.out.printf("warming up with %,d users, not counted%n", WARM_UP_USERS);
		ClassicLevel.run(WARM_UP_USERS, this.server.target(), this.accounts, this.options.ramp);
		System.out.printf(ROW, COLUMNS.toArray());
		for (int level : this.options.levels) {
			for (int n = 1; n <= this.options.repetitions && !Interrupt.requested(); n++) {
				runOnce(level, n);
			}
		}
		boolean passed = this.summaries.stream().allMatch(Summary::hasPassed);
		this.trial.add(new Table("Users at once", COLUMNS, this.rows, STEPS));
		averages().forEach((users, average) -> this.trial.lower("average at %,d users".formatted(users), average, "ms")
			.lower("error at %,d users".formatted(users), worst(users), "%"));
		this.trial.addAll(charts());
		if (!this.summaries.isEmpty()) {
			Summary last = this.summaries.getLast();
			String title = "Steps of the last run, %,d users".formatted(last.users());
			this.trial.add(Latencies.table(title, last.steps())).addAll(Latencies.spectrum(title, last.steps()));
		}
		return this.trial.add(errors()).finish(passed, title(), verdict(passed));
	}

	private String title() {
		return "capacity, the classic seven steps at %s users, %d times each, started within %s s (%s)".formatted(
				Arrays.toString(this.options.levels), this.options.repetitions, this.options.ramp.toMillis() / 1000.0,
				this.server.description());
	}

	private void signUp(String name) {
		int most = Math.max(WARM_UP_USERS, Arrays.stream(this.options.levels).max().orElseThrow());
		this.accounts = TrialCommand.signUp(this.server.target(), name, this.options.rooms,
				Population.users(0, most, this.options.rooms), 0);
	}

	private void runOnce(int level, int repetition) {
		Summary summary = ClassicLevel.run(level, this.server.target(), this.accounts, this.options.ramp);
		if (Interrupt.requested()) {
			return;
		}
		this.summaries.add(summary);
		List<Object> row = summary.row(repetition);
		this.rows.add(row);
		System.out.printf(ROW, Figures.cells(row));
		summary.errors().forEach((kind, count) -> System.out.printf(Locale.ROOT, "  %,8d × %s%n", count, kind));
		if (this.server.hasEnded()) {
			System.out.println("The server has ended; starting another one.");
			this.server.renew();
			signUp(this.trial.run + repetition + "at" + level);
		}
	}

	private Map<Integer, Double> averages() {
		return this.summaries.stream()
			.collect(Collectors.groupingBy(Summary::users, TreeMap::new,
					Collectors.averagingDouble(Summary::averageMillis)));
	}

	private double worst(int users) {
		return at(users).stream().mapToDouble(Summary::errorPercent).max().orElse(0);
	}

	private List<Summary> at(int users) {
		return this.summaries.stream().filter((summary) -> summary.users() == users).toList();
	}

	private List<Chart> charts() {
		Map<Integer, Double> averages = averages();
		List<Integer> users = List.copyOf(averages.keySet());
		if (users.size() < 2) {
			return List.of();
		}
		Axis axis = new Axis("users", false);
		return List.of(
				new Chart("Latency against users", axis, new Axis("ms, mean of the runs", false),
						List.of(Series.of("average", users, Integer::doubleValue,
								(level) -> averages.getOrDefault(level, 0.0)),
								Series.of("p99", users, Integer::doubleValue, this::p99))),
				new Chart("Errors against users", axis, new Axis("% of the steps, worst run", false),
						List.of(Series.of("error", users, Integer::doubleValue, this::worst))));
	}

	private double p99(int users) {
		return at(users).stream().mapToDouble((summary) -> Latencies.millis(summary.micros(), 99)).average().orElse(0);
	}

	private Table errors() {
		Map<String, Long> errors = new TreeMap<>();
		this.summaries.forEach((summary) -> summary.errors()
			.forEach(
					(kind, count) -> errors.merge("%,d users: %s".formatted(summary.users(), kind), count, Long::sum)));
		return new Table("Errors by class", List.of("class", "users"),
				errors.entrySet().stream().map((error) -> List.<Object>of(error.getKey(), error.getValue())).toList(),
				"");
	}

	private String verdict(boolean passed) {
		if (Interrupt.requested()) {
			return "Interrupted, so not passed: these are the runs that were complete.";
		}
		if (passed) {
			return "no error at any level, up to %,d users.".formatted(this.summaries.getLast().users());
		}
		Summary failed = this.summaries.stream().filter((summary) -> !summary.hasPassed()).findFirst().orElseThrow();
		return String.format(Locale.ROOT, "%.2f %% errors at %,d users; the first of them: %s.", failed.errorPercent(),
				failed.users(), String.join(", ", failed.errors().keySet()));
	}

}
