package io.parley.loadtest.user;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.user.RestApi.Tokens;

/**
 * Signs up the users of a run and creates its rooms. User n is in room n modulo rooms;
 * the first user of a room creates it.
 *
 * @param offlinePerRoom additional members of each room who stay offline, each with a
 * device
 */
public record Population(RestApi api, String run, int rooms, int offlinePerRoom) {

	/**
	 * The server hashes passwords slowly on purpose, so more concurrent requests would
	 * only queue there.
	 */
	private static final int AT_ONCE = 4;

	/** Sessions of one user by default. The server allows 20. */
	public static final int SESSIONS_PER_USER = 15;

	public Population(RestApi api, String run, int rooms) {
		this(api, run, rooms, 0);
	}

	/**
	 * Returns the number of users for that many sessions: at least one per room, and by
	 * default the same number in each.
	 * @param asked the requested number; 0 for the default
	 */
	public static int users(int asked, int sessions, int rooms) {
		int wanted = (asked > 0) ? asked : Math.ceilDiv(Math.ceilDiv(sessions, SESSIONS_PER_USER), rooms) * rooms;
		return Math.min(sessions, Math.max(wanted, rooms));
	}

	/**
	 * Signs up the users and joins them to their rooms.
	 * @param users at least one for each room
	 * @throws LoadTestException with the server's answer when it rejects a request
	 */
	public List<Account> create(int users) {
		int capacity = Math.max(2, Math.ceilDiv(users, this.rooms) + this.offlinePerRoom);
		List<Account> accounts = new ArrayList<>(inParallel("owners", 0, this.rooms, (n) -> owner(n, capacity)));
		List<RoomLedger> ledgers = accounts.stream().map(Account::room).toList();
		accounts.addAll(inParallel("members", this.rooms, users, (n) -> member(n, ledgers.get(n % this.rooms))));
		inParallel("offline members", users, users + this.rooms * this.offlinePerRoom, (n) -> {
			Account account = member(n, ledgers.get(n % this.rooms));
			this.api.registerDevice(account.token(), "device:" + account.username());
			return account;
		});
		return accounts;
	}

	private Account owner(int number, int capacity) {
		Tokens tokens = signUp(number);
		String room = this.api.createRoom(tokens.accessToken(), name(number), capacity);
		return new Account(name(number), tokens.accessToken(), tokens.expiresIn(), new RoomLedger(room));
	}

	private Account member(int number, RoomLedger room) {
		Tokens tokens = signUp(number);
		this.api.join(tokens.accessToken(), room.id(), name(number));
		return new Account(name(number), tokens.accessToken(), tokens.expiresIn(), room);
	}

	private Tokens signUp(int number) {
		return this.api.signUp(name(number), UUID.randomUUID().toString());
	}

	private String name(int number) {
		return "lt-" + this.run + "-" + number;
	}

	private static List<Account> inParallel(String what, int from, int to, Function<Integer, Account> create) {
		List<Account> accounts = new ArrayList<>(to - from);
		IntStream.range(from, to).boxed().gather(Gatherers.mapConcurrent(AT_ONCE, create)).forEach((account) -> {
			Interrupt.check();
			accounts.add(account);
			if (accounts.size() % 100 == 0 || accounts.size() == to - from) {
				System.out.printf("signed up %,d of %,d %s%n", accounts.size(), to - from, what);
			}
		});
		return accounts;
	}

}
