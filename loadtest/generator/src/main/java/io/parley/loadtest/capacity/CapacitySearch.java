package io.parley.loadtest.capacity;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

import io.parley.loadtest.capacity.CapacityTrial.Result;
import io.parley.loadtest.capacity.Search.Attempt;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.trial.Refusals;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.Population;
import org.jspecify.annotations.Nullable;

/**
 * Finds the largest number of sessions that hold without a failure, the largest number
 * that also has fast deliveries, and the limit above it.
 */
final class CapacitySearch {

	private static final List<String> COLUMNS = List.of("trial", "sessions", "outcome", "delivery p99 ms",
			"subscribed p99 ms", "failures", "limits reached", "server and generator");

	/**
	 * Warms up the server and the generator, which are slow right after their start.
	 */
	private static final int WARM_UP_USERS = 30;

	/**
	 * Factor for signing up more users than the level needs, so that the next levels can
	 * reuse them.
	 */
	private static final double SPARE = 1.5;

	private final List<Result> results = new ArrayList<>();

	private final CapacityOptions options;

	private final String run;

	private final ServerUnderTest server;

	private final Search search;

	private List<Account> accounts = List.of();

	private long signedUpAt = System.nanoTime();

	CapacitySearch(CapacityOptions options, String run, ServerUnderTest server) {
		this.options = options;
		this.run = run;
		this.server = server;
		this.search = new Search(options.from, ceiling(), options.confirm);
	}

	/**
	 * Returns the upper limit of the search: {@code --most}, but not more sessions than
	 * this process has file descriptors for.
	 */
	private int ceiling() {
		int files = (int) Math.min(1_000_000, Generator.maxOpenFiles() - Refusals.OTHER_FILES);
		return (this.options.most > 0) ? Math.min(this.options.most, files) : files;
	}

	/**
	 * Runs the search, prints each trial, and completes the report.
	 */
	RunReport run(TrialReport report) {
		boolean found = search(Result::passed, "without a failure");
		boolean foundQuick = found
				&& search(this::isQuick, "and with a delivery p99 of at most " + this.options.p99.toMillis() + " ms");
		int best = Search.best(attempts(Result::passed));
		int quick = Search.best(attempts(this::isQuick));
		boolean passed = found && best > 0;
		String title = String.format(Locale.ROOT,
				"capacity --search, hold %d s, %s messages/s, confirmed %d times (%s)", this.options.hold.toSeconds(),
				this.options.rate, this.options.confirm, this.server.description());
		report.higher("sessions without a failure", best, "");
		if (foundQuick) {
			report.higher("sessions with p99 within %d ms".formatted(this.options.p99.toMillis()), quick, "");
		}
		report.note("Limit", limit()).add(table()).addAll(curve());
		if (last(best) instanceof Result result) {
			report.add(result.measures(), result.timeLine());
		}
		System.out.println();
		System.out.println("limit: " + limit());
		return report.finish(passed, title, verdict(passed, best, foundQuick, quick));
	}

	/**
	 * Runs the search and keeps the results so far when it is interrupted while a server
	 * starts or users sign up.
	 */
	private boolean search(Predicate<Result> fine, String what) {
		try {
			return tryLevels(fine, what);
		}
		catch (RefusedException ex) {
			if (this.results.isEmpty() || !Interrupt.requested()) {
				throw ex;
			}
			return false;
		}
	}

	/**
	 * Tries levels until the search has an answer.
	 * @return false when the search cannot find one
	 */
	private boolean tryLevels(Predicate<Result> fine, String what) {
		for (int level = next(fine); level > 0; level = next(fine)) {
			System.out.printf(Locale.ROOT, "trial %d with %,d sessions; so far %,d %s%n", this.results.size() + 1,
					level, Search.best(attempts(fine)), what);
			Result result = new CapacityTrial(this.options, this.server, level)
				.run(this.run + "t" + this.results.size(), accounts(level));
			if (Interrupt.requested()) {
				return false;
			}
			this.results.add(result);
			System.out.println(CapacityTrial.line(this.results.size(), result));
			result.limits().forEach((limit) -> System.out.println("  at its limit: " + limit));
			if (!result.valid()) {
				System.out.println("  NOT VALID: this generator is saturated; the search ends here.");
				return false;
			}
			if (!result.passed()) {
				this.server.renew();
				this.accounts = List.of();
			}
		}
		return !Interrupt.requested();
	}

	private int next(Predicate<Result> fine) {
		return this.search.next(attempts(fine));
	}

	private List<Attempt> attempts(Predicate<Result> fine) {
		return this.results.stream().map((result) -> new Attempt(result.sessions(), fine.test(result))).toList();
	}

	private boolean isQuick(Result result) {
		return result.passedWithin(this.options.p99);
	}

	/**
	 * Returns enough users for that level, with tokens that outlive the trial.
	 */
	private List<Account> accounts(int level) {
		long age = (System.nanoTime() - this.signedUpAt) / 1_000_000_000;
		long life = this.accounts.stream().mapToLong(Account::tokenSeconds).min().orElse(0);
		long length = (long) (level / this.options.connectRate) + this.options.hold.toSeconds() + 60;
		int needed = Population.users(0, level, Math.min(level, this.options.rooms));
		if (this.accounts.size() < needed || life > 0 && life - age < length) {
			int users = Population.users(0, (int) Math.min(this.search.ceiling(), level * SPARE), this.options.rooms);
			this.accounts = TrialCommand.signUp(this.server.target(), this.run + "-" + this.results.size(),
					this.options.rooms, Math.max(Math.max(needed, users), this.options.rooms));
			this.signedUpAt = System.nanoTime();
			new ClassicLevel(WARM_UP_USERS).run(this.server.target(), this.accounts, this.options.ramp);
			Refusals.checkTokens(this.accounts, Duration.ofSeconds(length));
		}
		return this.accounts;
	}

	/**
	 * Returns the reason for the end of the search.
	 */
	private String limit() {
		List<Attempt> attempts = attempts(Result::passed);
		Result invalid = this.results.stream().filter((result) -> !result.valid()).findFirst().orElse(null);
		if (invalid != null) {
			return "limit of the generator, not of the server: at %,d sessions it had no processor left (%s)."
				.formatted(invalid.sessions(), invalid.facts());
		}
		int failing = Search.firstFailing(attempts);
		if (failing > 0) {
			Result first = this.results.stream()
				.filter((result) -> !result.passed() && result.sessions() == failing)
				.findFirst()
				.orElseThrow();
			return "%,d sessions failed: %s. At the limit: %s.".formatted(failing, String.join(", ", first.wrong()),
					String.join("; ", first.limits()));
		}
		if (Search.best(attempts) < this.search.ceiling()) {
			return "not reached.";
		}
		return (this.options.most == this.search.ceiling()) ? "not reached, the search ended at --most."
				: "limit of the generator, not of the server: this process may open %,d files. Use several processes with idle."
					.formatted(Generator.maxOpenFiles());
	}

	private @Nullable Result last(int level) {
		return this.results.reversed()
			.stream()
			.filter((result) -> result.passed() && result.sessions() == level)
			.findFirst()
			.orElse(null);
	}

	private List<Chart> curve() {
		List<Result> held = this.results.stream()
			.filter(Result::passed)
			.sorted(Comparator.comparing(Result::sessions))
			.toList();
		List<Double> sessions = held.stream().map((result) -> (double) result.sessions()).toList();
		return (held.size() < 2) ? List.of() : List
			.of(new Chart("Latency against sessions", new Axis("sessions", false), new Axis("ms, p99", false),
					List.of(new Series("delivered", sessions, held.stream().map(Result::p99).toList()),
							new Series("subscribed", sessions, held.stream().map(Result::subscribedP99).toList()))));
	}

	private Table table() {
		List<List<Object>> rows = new ArrayList<>();
		for (Result result : this.results) {
			rows.add(List.of(rows.size() + 1, result.sessions(),
					!result.valid() ? "not valid" : result.passed() ? "held" : "failed", result.p99(),
					result.subscribedP99(), String.join(", ", result.wrong()), String.join("; ", result.limits()),
					result.facts()));
		}
		return new Table("Trials", COLUMNS, rows,
				"A session counts only if its SUBSCRIBE is confirmed and it holds with"
						+ " heart-beats; one failure of any kind fails the trial.");
	}

	private String verdict(boolean passed, int best, boolean foundQuick, int quick) {
		if (Interrupt.requested()) {
			return "Interrupted, so not passed: %,d sessions held so far.".formatted(best);
		}
		String sessions = String.format(Locale.ROOT, "%,d sessions held without a failure for %d s", best,
				this.options.hold.toSeconds());
		return passed ? "%s, confirmed %d times%s; %s".formatted(sessions, this.options.confirm,
				foundQuick ? ", %,d with a p99 within %d ms".formatted(quick, this.options.p99.toMillis()) : "",
				limit()) : "%s, not confirmed; %s".formatted(sessions, limit());
	}

}
