package io.parley.loadtest.life;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.parley.loadtest.life.Costs.Cost;
import io.parley.loadtest.life.LifeTrial.Outcome;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.ServerMeter.Growth;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.report.TextTable;
import io.parley.loadtest.trial.ConsoleReport;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.People;
import io.parley.loadtest.user.RoomPlan.Kind;
import org.HdrHistogram.Histogram;

/**
 * Prints the results of a run of {@code life} and completes its report.
 */
record LifeReport(LifeOptions options, Trial trial, LifeMeasures measures, People people) {

	static final String NOT_COUNTED = "Not measured: the server at --management has no metric chat_db_statements_total.";

	RunReport finish(Outcome outcome, TimeLine timeLine) {
		Measures all = this.measures.all;
		int count = this.people.persons().size();
		boolean passed = all.passed(count) && outcome.live() == count;
		double deliveries = outcome.use().perSecond(outcome.delivered());
		String title = String.format(Locale.ROOT,
				"life, %,d users in %,d rooms (%s), hold %d s, %.1f messages/s%s (run %s)", count,
				this.people.rooms().size(), kinds(), this.options.hold.toSeconds(), this.options.rate(),
				this.options.storm ? ", one storm" : "", this.trial.run);
		List<Part> parts = List.of(costs(outcome), server(outcome), outcome.requestsAtStart(),
				Latencies.table("Requests during the hold", this.measures.requests()),
				Latencies.table("Reconnects during the hold", this.measures.reconnected()), counts());
		ConsoleReport console = this.trial.console;
		console.title(passed, title);
		console.latencies();
		console.counts(count, false, outcome.live(), deliveries);
		console.generator("this generator", Generator.heap(), outcome.use().cores());
		TextTable.print(parts);
		metrics(outcome, deliveries);
		String what = String.format(Locale.ROOT, "%,d users lived for %d s, every delivery checked", count,
				this.options.hold.toSeconds());
		return this.trial.generator(outcome.use().cores())
			.addAll(parts)
			.add(all, timeLine)
			.finish(passed, title, all.verdict(passed, what, count));
	}

	private String kinds() {
		List<String> kinds = new ArrayList<>();
		for (Kind kind : Kind.values()) {
			long rooms = this.people.rooms().stream().filter((room) -> room.kind() == kind).count();
			kinds.add(String.format(Locale.ROOT, "%,d %s", rooms, kind.wireName()));
		}
		return String.join(", ", kinds);
	}

	private void metrics(Outcome outcome, double deliveries) {
		this.trial.higher("deliveries", deliveries, "1/s");
		p99("live again p99", this.measures.live);
		p99("live again after the storm p99", this.measures.stormLive);
		p99("GET /api/rooms p99", this.measures.roomList);
		p99("newest page p99", this.measures.newestPage);
		outcome.costs().forEach((cost) -> this.trial.lower("statements: " + cost.action(), total(cost), ""));
	}

	private void p99(String name, Histogram micros) {
		if (micros.getTotalCount() > 0) {
			this.trial.lower(name, Latencies.millis(micros, 99), "ms");
		}
	}

	private static double total(Cost cost) {
		return cost.byServer() + cost.byWorkers();
	}

	private Table costs(Outcome outcome) {
		List<List<Object>> rows = outcome.costs()
			.stream()
			.map((cost) -> List.<Object>of(cost.action(), cost.times(), tenths(cost.byServer()),
					tenths(cost.byWorkers()), tenths(total(cost))))
			.toList();
		String note = rows.isEmpty() ? (this.options.costs > 0) ? NOT_COUNTED : "Not asked for."
				: "For each action alone, on a server with all users connected; what the server does by itself in the"
						+ " same time is taken away.";
		return new Table("Statements of the database for one action",
				List.of("action", "times", "server", "workers", "together"), rows, note);
	}

	/**
	 * Returns what the server needed while all connected and during the hold.
	 */
	private Table server(Outcome outcome) {
		List<List<Object>> rows = new ArrayList<>();
		addServer(rows, "connecting", outcome.connecting());
		addServer(rows, "holding", outcome.holding());
		return new Table("Server", List.of("phase", "seconds", "cores", "statements/s of the server", "of workers"),
				rows, rows.isEmpty() ? NOT_COUNTED : "");
	}

	private static void addServer(List<List<Object>> rows, String phase, Growth growth) {
		if (Double.isFinite(growth.byServer()) && growth.seconds() > 0) {
			rows.add(List.of(phase, tenths(growth.seconds()), tenths(10 * growth.cpuSeconds() / growth.seconds()) / 10,
					tenths(growth.byServer() / growth.seconds()), tenths(growth.byWorkers() / growth.seconds())));
		}
	}

	private Table counts() {
		List<List<Object>> rows = this.measures.counts()
			.entrySet()
			.stream()
			.map((count) -> List.<Object>of(count.getKey(), count.getValue()))
			.toList();
		return new Table("What happened", List.of("what", "count"), rows, "");
	}

	private static double tenths(double value) {
		return Math.rint(value * 10) / 10;
	}

}
