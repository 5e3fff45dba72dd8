package io.parley.loadtest;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * The part of an idle trial that one of several processes does: it has whole rooms, with
 * all their users and sessions, so every check of order and loss stays inside one
 * process.
 *
 * @param sources where its connections come from, in turn
 * @param rate its share of all messages a second
 * @param delay of its first message, so that the processes send in turn
 */
record GeneratorPlan(String run, URI url, List<String> sources, int sessions, double connectRate, double rate,
		Duration delay, Duration warmup, Duration hold, Duration drain, boolean plain, @Nullable String login,
		@Nullable String passcode, List<User> users) {

	/** A user of these rooms. */
	record User(String token, String room) {
	}

	/** Divides a trial; accounts are of rooms in turn, as they were signed up. */
	static List<GeneratorPlan> divide(IdleOptions options, String run, List<Account> accounts) {
		return IntStream.range(0, options.processes)
			.mapToObj((process) -> part(options, run, accounts, process))
			.toList();
	}

	/** The most sessions that one of the processes has. */
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
				options.plain, options.login, options.passcode, users);
	}

	/** How many of all sessions are of its users. */
	private static int share(IdleOptions options, int users, int process) {
		return (int) IntStream.range(0, options.sessions)
			.filter((session) -> processOf(options, session % users) == process)
			.count();
	}

	private static int processOf(IdleOptions options, int user) {
		return user % options.rooms % options.processes;
	}

	/** What is left to do for one process. */
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
		options.plain = this.plain;
		options.login = this.login;
		options.passcode = this.passcode;
		return options;
	}

	/** The same users in the same rooms, of which nothing is known yet. */
	List<Account> accounts() {
		Map<String, RoomLedger> rooms = new HashMap<>();
		return this.users.stream()
			.map((user) -> new Account("", user.token(), 0, rooms.computeIfAbsent(user.room(), RoomLedger::new)))
			.toList();
	}

	/** Without secrets. */
	@Override
	public String toString() {
		return "GeneratorPlan[run=" + this.run + ", sessions=" + this.sessions + "]";
	}

}
