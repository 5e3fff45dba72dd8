package io.parley.loadtest.idle;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.user.Account;
import org.jspecify.annotations.Nullable;

/**
 * The share of an idle trial for one of several processes. It consists of whole rooms
 * with all their users and sessions, so that every check of order and loss stays within
 * one process.
 *
 * @param sources the source addresses of its connections, in turn
 * @param rate its share of the messages per second
 * @param delay of its first message, so that the processes send in turn
 */
record GeneratorPlan(String run, URI url, List<String> sources, int sessions, double connectRate, double rate,
		Duration delay, Duration warmup, Duration hold, Duration drain, @Nullable Plain plain, List<User> users) {

	/**
	 * The settings for a server that supports only STOMP.
	 */
	record Plain(@Nullable String login, @Nullable String passcode, @Nullable String virtualHost, String sendTo) {
	}

	/** A user of these rooms. */
	record User(String token, String room) {
	}

	/**
	 * Divides a trial between the processes. The accounts must be in sign-up order, in
	 * which their rooms alternate.
	 */
	static List<GeneratorPlan> divide(IdleOptions options, String run, List<Account> accounts) {
		return IntStream.range(0, options.processes)
			.mapToObj((process) -> part(options, run, accounts, process))
			.toList();
	}

	/**
	 * Returns the largest number of sessions of any process.
	 */
	static int largestShare(IdleOptions options) {
		int users = options.plain ? options.rooms : options.users();
		return IntStream.range(0, options.processes).map((process) -> share(options, users, process)).max().orElse(0);
	}

	private static GeneratorPlan part(IdleOptions options, String run, List<Account> accounts, int process) {
		int sessions = share(options, accounts.size(), process);
		double share = (double) sessions / options.sessions;
		Duration delay = (options.rate > 0) ? Duration.ofNanos((long) (process * 1e9 / options.rate)) : Duration.ZERO;
		List<User> users = IntStream.range(0, accounts.size())
			.filter((user) -> processOf(options, user) == process)
			.mapToObj(accounts::get)
			.map((account) -> new User(account.token(), account.room().id()))
			.toList();
		return new GeneratorPlan(run, options.target.url, options.target.sources(options.sessions), sessions,
				options.connectRate * share, options.rate * share, delay, options.warmup, options.hold, options.drain,
				plain(options), users);
	}

	private static @Nullable Plain plain(IdleOptions options) {
		return options.plain ? new Plain(options.login, options.passcode, options.virtualHost, options.sendTo) : null;
	}

	/**
	 * Returns how many of all sessions belong to users of this process.
	 */
	private static int share(IdleOptions options, int users, int process) {
		return (int) IntStream.range(0, options.sessions)
			.filter((session) -> processOf(options, session % users) == process)
			.count();
	}

	private static int processOf(IdleOptions options, int user) {
		return user % options.rooms % options.processes;
	}

	/**
	 * Returns the options for this process.
	 */
	IdleOptions options() {
		IdleOptions options = new IdleOptions();
		options.target.url = this.url;
		options.target.sources = this.sources;
		options.sessions = this.sessions;
		options.connectRate = this.connectRate;
		options.rate = this.rate;
		options.warmup = this.warmup;
		options.hold = this.hold;
		options.drain = this.drain;
		if (this.plain != null) {
			options.plain = true;
			options.login = this.plain.login();
			options.passcode = this.plain.passcode();
			options.virtualHost = this.plain.virtualHost();
			options.sendTo = this.plain.sendTo();
		}
		return options;
	}

	/**
	 * Returns the same users in the same rooms, with empty ledgers.
	 */
	List<Account> accounts() {
		Map<String, RoomLedger> rooms = new HashMap<>();
		return this.users.stream()
			.map((user) -> new Account("", user.token(), 0, rooms.computeIfAbsent(user.room(), RoomLedger::new)))
			.toList();
	}

	/**
	 * Omits the tokens.
	 */
	@Override
	public String toString() {
		return "GeneratorPlan[run=" + this.run + ", sessions=" + this.sessions + "]";
	}

}
