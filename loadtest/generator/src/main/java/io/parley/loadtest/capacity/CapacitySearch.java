package io.parley.loadtest.capacity;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

import io.parley.loadtest.capacity.Search.Attempt;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.Population;

/**
 * Finds the largest number of sessions that hold without a failure, the largest number
 * that also has fast deliveries, and the limit above it.
 */
final class CapacitySearch {

	private static final List<String> COLUMNS = List.of("trial", "sessions", "outcome", "delivery p99 ms",
			"subscribed p99 ms", "failures", "limits reached", "server and generator");

	/** Warms up the server and the generator, which are slow right after their start. */
	private static final int WARM_UP_USERS = 30;

	/**
	 * Factor for signing up more users than the level needs, so that the next levels can
	 * reuse them.
	 */
	private static final double SPARE = 1.5;

	private final List<CapacityTrial> results = new ArrayList<>();

	private final CapacityCommand options;

	private final Trial trial;

	private final ServerUnderTest server;

	private final Search search;

	private List<Account> accounts = List.of();

	private long signedUpAt = System.nanoTime();

	CapacitySearch(CapacityCommand options, Trial trial, ServerUnderTest server) {
		this.options = options;
		this.trial = trial;
		this.server = server;
		this.search = new Search(options.from, ceiling(), options.confirm);
	}

	/**
	 * Returns the upper limit of the search: {@code --most}, but not more sessions than
	 * this process has file descriptors for.
	 */
	private int ceiling() {
		int files = (int) Math.min(1_000_000, Generator.maxOpenFiles() - Preconditions.OTHER_FILES);
		return (this.options.most > 0) ? Math.min(this.options.most, files) : files;
	}

	RunReport run() {
		boolean found = search(CapacityTrial::passed, "without a failure");
		boolean foundQuick = found
				&& search(this::isQuick, "and with a delivery p99 of at most " + this.options.p99.toMillis() + " ms");
		int best = Search.best(attempts(CapacityTrial::passed));
		int quick = Search.best(attempts(this::isQuick));
		boolean passed = found && best > 0;
		String title = String.format(Locale.ROOT,
				"capacity --search, hold %d s, %s messages/s, confirmed %d times (%s)", this.options.hold.toSeconds(),
				this.options.rate, this.options.confirm, this.server.description());
		this.trial.higher("sessions without a failure", best, "");
		if (foundQuick) {
			this.trial.higher("sessions with p99 within %d ms".formatted(this.options.p99.toMillis()), quick, "");
		}
		this.trial.note("Limit", limit()).add(table()).addAll(curve());
		last(best).ifPresent((result) -> this.trial.add(result.measures(), result.timeLine()));
		System.out.println();
		System.out.println("limit: " + limit());
		return this.trial.finish(passed, title, verdict(passed, best, foundQuick, quick));
	}

	/**
	 * Runs the search and keeps the results so far when it is interrupted while a server
	 * starts or users sign up.
	 */
	private boolean search(Predicate<CapacityTrial> fine, String what) {
		try {
			return tryLevels(fine, what);
		}
		catch (LoadTestException ex) {
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
	private boolean tryLevels(Predicate<CapacityTrial> fine, String what) {
		for (int level = next(fine); level > 0; level = next(fine)) {
			System.out.printf(Locale.ROOT, "trial %d with %,d sessions; so far %,d %s%n", this.results.size() + 1,
					level, Search.best(attempts(fine)), what);
			CapacityTrial result = CapacityTrial.run(this.options, this.server, level,
					this.trial.run + "t" + this.results.size(), accounts(level));
			if (Interrupt.requested()) {
				return false;
			}
			this.results.add(result);
			result.print(this.results.size());
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

	private int next(Predicate<CapacityTrial> fine) {
		return this.search.next(attempts(fine));
	}

	private List<Attempt> attempts(Predicate<CapacityTrial> fine) {
		return this.results.stream().map((result) -> new Attempt(result.sessions(), fine.test(result))).toList();
	}

	private boolean isQuick(CapacityTrial result) {
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
			this.accounts = TrialCommand.signUp(this.server.target(), this.trial.run + "-" + this.results.size(),
					this.options.rooms, Math.max(Math.max(needed, users), this.options.rooms), 0);
			this.signedUpAt = System.nanoTime();
			ClassicLevel.run(WARM_UP_USERS, this.server.target(), this.accounts, this.options.ramp);
			Preconditions.checkTokens(this.accounts, Duration.ofSeconds(length));
		}
		return this.accounts;
	}

	private String limit() {
		List<Attempt> attempts = attempts(CapacityTrial::passed);
		CapacityTrial invalid = this.results.stream().filter((result) -> !result.valid()).findFirst().orElse(null);
		if (invalid != null) {
			return "limit of the generator, not of the server: at %,d sessions it had no processor left (%s)."
				.formatted(invalid.sessions(), invalid.facts());
		}
		int failing = Search.firstFailing(attempts);
		if (failing > 0) {
			CapacityTrial first = this.results.stream()
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

	private Optional<CapacityTrial> last(int level) {
		return this.results.reversed()
			.stream()
			.filter((result) -> result.passed() && result.sessions() == level)
			.findFirst();
	}

	private List<Chart> curve() {
		List<CapacityTrial> held = this.results.stream()
			.filter(CapacityTrial::passed)
			.sorted(Comparator.comparing(CapacityTrial::sessions))
			.toList();
		return (held.size() < 2) ? List.of()
				: List.of(new Chart("Latency against sessions", new Axis("sessions", false), new Axis("ms, p99", false),
						List.of(Series.of("delivered", held, CapacityTrial::sessions, CapacityTrial::p99),
								Series.of("subscribed", held, CapacityTrial::sessions, CapacityTrial::subscribedP99))));
	}

	private Table table() {
		List<List<Object>> rows = new ArrayList<>();
		for (CapacityTrial result : this.results) {
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
