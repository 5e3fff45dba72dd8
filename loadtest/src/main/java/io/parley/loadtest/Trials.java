package io.parley.loadtest;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.RefusedException;

/**
 * Trials at one server, one after the other, each with new sessions and with nothing left
 * of the one before: how a study loads a server.
 */
public final class Trials {

	private final Crowd crowd;

	private final URI url;

	/** Who was signed up; empty at a server that knows no users. */
	private final List<Account> accounts;

	/**
	 * Who takes part.
	 *
	 * @param users that the sessions belong to
	 * @param away members of each room who never come, each with a device
	 */
	public record Crowd(int sessions, int rooms, int users, int away) {
	}

	/** What is asked of the server. */
	public record Load(double rate, Duration warmup, Duration hold, Duration drain) {
	}

	private Trials(Crowd crowd, URI url, List<Account> accounts) {
		this.crowd = crowd;
		this.url = url;
		this.accounts = accounts;
	}

	/** Signs up the users of a chat-server and makes the rooms. */
	public static Trials atParley(URI url, Crowd crowd) {
		try (RestApi api = new RestApi(url)) {
			return new Trials(crowd, url,
					new Population(api, run(), crowd.rooms(), crowd.away()).create(crowd.users()));
		}
	}

	/** At a server that speaks STOMP and knows no users. */
	public static Trials atPlain(URI url, Crowd crowd) {
		return new Trials(crowd, url, List.of());
	}

	/**
	 * Runs one.
	 * @param connected is told the rooms when all sessions are there, before anything is
	 * sent
	 * @throws RefusedException when it was interrupted: such a trial says nothing
	 */
	public IdleResult run(Load load, Consumer<List<String>> connected) {
		IdleOptions options = options(load);
		Refusals.check(options);
		String run = run();
		List<Account> own = options.plain ? PlainDialect.accounts(run, options.rooms) : renewed();
		try (IdleTrial trial = new IdleTrial(options, run)) {
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

	/** The same users in the same rooms, of which nothing is known yet. */
	private List<Account> renewed() {
		Map<String, RoomLedger> rooms = new HashMap<>();
		return this.accounts.stream()
			.map((account) -> new Account(account.username(), account.token(), account.tokenSeconds(),
					rooms.computeIfAbsent(account.room().id(), RoomLedger::new)))
			.toList();
	}

	private static String run() {
		return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);
	}

}
