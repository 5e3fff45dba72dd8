package io.parley.loadtest.idle;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.user.Account;
import tools.jackson.databind.json.JsonMapper;

/**
 * The share of an idle trial for one of several processes. It consists of whole rooms
 * with all their users and sessions, so that every check of order and loss stays within
 * one process.
 *
 * @param options of this process, with its share of the sessions and of the rates
 * @param delay of its first message, so that the processes send in turn
 */
record GeneratorPlan(String run, IdleOptions options, Duration delay, List<User> users) {

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
		IdleOptions part = JsonMapper.shared().convertValue(options, IdleOptions.class);
		part.target.sources = options.target.sources(options.sessions);
		part.sessions = share(options, accounts.size(), process);
		part.rate = options.rate * part.sessions / options.sessions;
		part.connectRate = options.connectRate * part.sessions / options.sessions;
		Duration delay = (options.rate > 0) ? Duration.ofNanos((long) (process * 1e9 / options.rate)) : Duration.ZERO;
		List<User> users = IntStream.range(0, accounts.size())
			.filter((user) -> processOf(options, user) == process)
			.mapToObj(accounts::get)
			.map((account) -> new User(account.token(), account.room().id()))
			.toList();
		return new GeneratorPlan(run, part, delay, users);
	}

	private static int share(IdleOptions options, int users, int process) {
		return (int) IntStream.range(0, options.sessions)
			.filter((session) -> processOf(options, session % users) == process)
			.count();
	}

	private static int processOf(IdleOptions options, int user) {
		return user % options.rooms % options.processes;
	}

	/**
	 * Returns the users in their rooms, with empty ledgers.
	 */
	List<Account> accounts() {
		return Account.withEmptyLedgers(this.users.stream()
			.map((user) -> new Account("", user.token(), 0, new RoomLedger(user.room())))
			.toList());
	}

	/**
	 * Omits the tokens.
	 */
	@Override
	public String toString() {
		return "GeneratorPlan[run=" + this.run + ", sessions=" + this.options.sessions + "]";
	}

}
