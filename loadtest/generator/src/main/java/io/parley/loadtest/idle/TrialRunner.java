package io.parley.loadtest.idle;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.Population;
import io.parley.loadtest.user.RestApi;

/**
 * Runs trials for a study at one server, one after the other, each with new sessions and
 * without state from the one before.
 */
public final class TrialRunner {

	private final Crowd crowd;

	private final URI url;

	/** The signed-up users; empty at a server without accounts. */
	private final List<Account> accounts;

	/**
	 * The participants.
	 *
	 * @param users that the sessions belong to
	 * @param away offline members of each room, each with a device
	 */
	public record Crowd(int sessions, int rooms, int users, int away) {
	}

	/**
	 * The load of one trial.
	 *
	 * @param rate messages per second over all rooms
	 */
	public record Load(double rate, Duration warmup, Duration hold, Duration drain) {
	}

	private TrialRunner(Crowd crowd, URI url, List<Account> accounts) {
		this.crowd = crowd;
		this.url = url;
		this.accounts = accounts;
	}

	/**
	 * Signs up users at a chat-server, creates the rooms, and returns trials with them.
	 */
	public static TrialRunner atParley(URI url, Crowd crowd) {
		try (RestApi api = new RestApi(url)) {
			Population population = new Population(api, Trial.uniqueName(), crowd.rooms(), crowd.away());
			return new TrialRunner(crowd, url, population.create(crowd.users()));
		}
	}

	/**
	 * Returns trials at a STOMP server without accounts.
	 */
	public static TrialRunner atPlain(URI url, Crowd crowd) {
		return new TrialRunner(crowd, url, List.of());
	}

	/**
	 * Runs one trial.
	 * @param connected called with the ids of the rooms when all sessions are connected,
	 * before any message is sent
	 * @throws LoadTestException when the run was interrupted, so that the trial has no
	 * result
	 */
	public IdleResult run(Load load, Consumer<List<String>> connected) {
		IdleOptions options = options(load);
		options.check();
		String run = Trial.uniqueName();
		List<Account> own = options.plain ? PlainDialect.accounts(run, options.rooms)
				: Account.withEmptyLedgers(this.accounts);
		try (IdleTrial trial = new IdleTrial(options, run, new Measures())) {
			List<String> rooms = own.stream().map((account) -> account.room().id()).distinct().toList();
			IdleResult result = trial.run(own, () -> connected.accept(rooms));
			Interrupt.check();
			return result;
		}
	}

	private IdleOptions options(Load load) {
		IdleOptions options = new IdleOptions();
		options.target.url = this.url;
		options.plain = this.accounts.isEmpty();
		options.sessions = this.crowd.sessions();
		options.rooms = this.crowd.rooms();
		options.users = options.plain ? 0 : this.crowd.users();
		options.rate = load.rate();
		options.warmup = load.warmup();
		options.hold = load.hold();
		options.drain = load.drain();
		return options;
	}

}
