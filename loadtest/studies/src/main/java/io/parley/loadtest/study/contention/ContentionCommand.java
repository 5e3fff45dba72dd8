package io.parley.loadtest.study.contention;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.study.DatabaseOptions;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.StudyCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest contention}: many users join a room with few places at once. A
 * case is a strategy with a server of its own.
 */
@Command(name = "contention",
		description = "Many users join a room with few places at once, in five ways and in Parley's own.",
		mixinStandardHelpOptions = true, showDefaultValues = false,
		footer = "An answer that the room is full is not an error. Errors of SERIALIZABLE are its result and do not"
				+ " fail the run.")
public final class ContentionCommand extends StudyCommand<JoinStrategy> {

	@Option(names = "--only", split = ",", paramLabel = "WAY",
			description = "Some of kafka, mutex, semaphore, pessimistic, serializable, parley. Default: all")
	List<JoinStrategy> only = List.of();

	@Option(names = "--users", description = "Users who try to join. Default: 100")
	int users = 100;

	@Option(names = "--places", description = "Free places in the room. Default: 50")
	int places = 50;

	@Option(names = "--within", converter = Millis.class,
			description = "All users send their requests within this time. Default: 100ms")
	Duration within = Duration.ofMillis(100);

	@Option(names = "--runs", description = "Runs for each way, each with a new room. Default: 10")
	int runs = 10;

	@Option(names = "--dropped", description = "Number of first runs that are checked, but not timed. Default: 4")
	int dropped = 4;

	@Mixin
	final DatabaseOptions database = new DatabaseOptions();

	@Option(names = "--server-jar", hidden = true)
	Path serverJar = Checkout.chatServer();

	private final Map<JoinStrategy, List<JoinRun>> results = new LinkedHashMap<>();

	@Override
	protected List<JoinStrategy> cases() {
		require(this.users > 0 && this.places > 0 && this.dropped >= 0 && this.runs > this.dropped,
				"--users and --places must be above 0, and --runs above --dropped.");
		return (this.only.isEmpty() ? List.of(JoinStrategy.values()) : this.only).stream().sorted().toList();
	}

	@Override
	protected String introduction() {
		return String.format(Locale.ROOT, "%,d users join a room of %,d places within %,d ms, %d times in each way",
				this.users, this.places, this.within.toMillis(), this.runs);
	}

	@Override
	protected String name(JoinStrategy strategy) {
		return strategy.title;
	}

	@Override
	protected Duration expected() {
		return Duration.ZERO;
	}

	@Override
	protected void run(JoinStrategy strategy, Resources open) throws Exception {
		List<JoinRun> done = new ArrayList<>();
		this.results.put(strategy, done);
		JoinTarget target = target(strategy, open);
		for (int n = 1; n <= this.runs; n++) {
			JoinRun run = JoinRun.at(target, this.users, this.places, this.within);
			if (Interrupt.requested()) {
				return;
			}
			done.add(run);
			System.out.printf(Locale.ROOT, "%-20s run %2d%s  mean %7.1f ms  %,d joined, %,d full, %,d errors %s%s%n",
					strategy.title, n, (n <= this.dropped) ? " (dropped)" : "          ",
					run.millis().stream().mapToDouble(Double::doubleValue).average().orElse(0), run.joined(),
					run.full(), run.failed(), run.errors().isEmpty() ? "" : run.errors(),
					run.wrong().isEmpty() ? "" : " WRONG: " + run.wrong());
		}
	}

	private JoinTarget target(JoinStrategy strategy, Resources open) {
		if (strategy != JoinStrategy.PARLEY) {
			return open.add(JoinServerTarget.start(strategy, this.database, open));
		}
		List<String> settings = this.database.isGiven() ? this.database.settings(this.database.url(Path.of("")))
				: List.of();
		LocalServer server = open.add(LocalServer.start(this.serverJar, List.of(), settings));
		return open.add(new ParleyTarget(server.url(), this.users));
	}

	@Override
	protected Findings findings() {
		return new ContentionReport(this, this.results).findings();
	}

	static final class Millis implements ITypeConverter<Duration> {

		@Override
		public Duration convert(String value) {
			return Duration
				.ofMillis(Long.parseLong(value.endsWith("ms") ? value.substring(0, value.length() - 2) : value));
		}

	}

}
