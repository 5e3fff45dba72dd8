package io.parley.loadtest;

import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Clients of one Parley for studies that say themselves what is sent. The clients belong
 * to few users: a server takes some 20 sessions of each, and hashes passwords slowly.
 */
public final class RoomClients implements AutoCloseable {

	private static final int CLIENTS_PER_USER = 15;

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final Queue<RoomClient> open = new ConcurrentLinkedQueue<>();

	private final String run = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);

	private final RestApi api;

	private final Connector connector;

	private final List<Account> accounts;

	/**
	 * Where a client is to be.
	 *
	 * @param token of its user
	 */
	public record Place(String token, String room) {
	}

	/** Signs up the users for so many clients at the most. */
	public RoomClients(URI url, int mostClients) {
		Target target = new Target();
		target.url = url;
		Refusals.checkOpenFiles(mostClients, Refusals.openFiles());
		this.api = new RestApi(url);
		this.accounts = new Population(this.api, this.run, 1).create(Math.ceilDiv(mostClients, CLIENTS_PER_USER));
		this.connector = new Connector(target, mostClients);
		this.clock.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
	}

	/** Makes a room that so many clients are in. */
	public List<Place> oneRoom(String name, int clients) {
		Account owner = this.accounts.getFirst();
		int users = Math.min(this.accounts.size(), Math.ceilDiv(clients, CLIENTS_PER_USER));
		String room = this.api.createRoom(owner.token(), name, Math.max(2, users));
		this.accounts.subList(1, users).forEach((account) -> this.api.join(account.token(), room, account.username()));
		return IntStream.range(0, clients)
			.mapToObj((n) -> new Place(this.accounts.get(n % users).token(), room))
			.toList();
	}

	/** Makes a room for each of so many clients. */
	public List<Place> roomEach(String name, int clients) {
		return IntStream.range(0, clients).mapToObj((n) -> {
			Account owner = this.accounts.get(n % this.accounts.size());
			return new Place(owner.token(), this.api.createRoom(owner.token(), name + "-" + n, 2));
		}).toList();
	}

	/** Begins to connect a client and to subscribe it to its room. */
	public RoomClient open(Place place, RoomClient.Receiver receiver) {
		RoomClient client = new RoomClient(place, receiver);
		this.open.add(client);
		this.connector.open(client);
		return client;
	}

	private void tick() {
		long now = System.nanoTime();
		this.open.removeIf(RoomClient::isOver);
		this.open.forEach((client) -> client.tick(now));
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.open.forEach(RoomClient::leave);
		this.connector.close();
		this.api.close();
	}

}
