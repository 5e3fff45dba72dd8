package io.parley.loadtest.user;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.RefusedException;
import tools.jackson.databind.JsonNode;

/**
 * Signs up the users of a run and creates its rooms. User n is in room n modulo rooms;
 * the first user of a room creates it.
 */
public final class Population {

	/**
	 * The server hashes passwords slowly on purpose, so more concurrent requests would
	 * only queue there.
	 */
	private static final int AT_ONCE = 4;

	/**
	 * Sessions of one user by default. The server allows 20.
	 */
	public static final int SESSIONS_PER_USER = 15;

	private final RestApi api;

	private final String run;

	private final int rooms;

	private final int offlinePerRoom;

	public Population(RestApi api, String run, int rooms) {
		this(api, run, rooms, 0);
	}

	/**
	 * Creates a population.
	 * @param offlinePerRoom additional members of each room who stay offline, each with a
	 * device
	 */
	public Population(RestApi api, String run, int rooms, int offlinePerRoom) {
		this.api = api;
		this.run = run;
		this.rooms = rooms;
		this.offlinePerRoom = offlinePerRoom;
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
	 * @throws RefusedException with the server's answer when it rejects a request
	 */
	public List<Account> create(int users) {
		int capacity = Math.max(2, Math.ceilDiv(users, this.rooms) + this.offlinePerRoom);
		List<Account> accounts = new ArrayList<>(inParallel("owners", 0, this.rooms, (n) -> owner(n, capacity)));
		List<Account> owners = List.copyOf(accounts);
		accounts.addAll(inParallel("members", this.rooms, users, (n) -> member(n, owners.get(n % this.rooms).room())));
		int away = this.rooms * this.offlinePerRoom;
		if (away > 0) {
			inParallel("offline members", users, users + away,
					(n) -> offlineMember(n, owners.get(n % this.rooms).room()));
		}
		return accounts;
	}

	private Account offlineMember(int number, RoomLedger room) {
		Account account = member(number, room);
		this.api.registerDevice(account.token(), "device:" + account.username());
		return account;
	}

	private Account owner(int number, int capacity) {
		JsonNode tokens = signUp(number);
		String token = tokens.path("accessToken").asString();
		String room = this.api.createRoom(token, "lt-" + this.run + "-" + number, capacity);
		return new Account(username(number), token, tokens.path("expiresIn").asLong(), new RoomLedger(room));
	}

	private Account member(int number, RoomLedger room) {
		JsonNode tokens = signUp(number);
		String token = tokens.path("accessToken").asString();
		this.api.join(token, room.id(), username(number));
		return new Account(username(number), token, tokens.path("expiresIn").asLong(), room);
	}

	private JsonNode signUp(int number) {
		return this.api.signUp(username(number), UUID.randomUUID().toString());
	}

	private String username(int number) {
		return "lt-" + this.run + "-" + number;
	}

	private static List<Account> inParallel(String what, int from, int to, IntFunction<Account> create) {
		List<Account> accounts = new ArrayList<>(to - from);
		ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE);
		try {
			List<Future<Account>> pending = new ArrayList<>();
			for (int n = from; n < to; n++) {
				int number = n;
				pending.add(executor.submit(() -> create.apply(number)));
			}
			for (Future<Account> account : pending) {
				Interrupt.check();
				accounts.add(account.get());
				if (accounts.size() % 100 == 0 || accounts.size() == to - from) {
					System.out.printf("signed up %,d of %,d %s%n", accounts.size(), to - from, what);
				}
			}
			return accounts;
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RefusedException refused) ? refused : new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
		}
		finally {
			executor.shutdownNow();
		}
	}

}
