package io.parley.loadtest.study.client;

import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.parley.loadtest.cli.Target;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.study.client.StudyUsers.User;
import io.parley.loadtest.trial.Refusals;

/**
 * Clients of one Parley server, for studies that control the sent messages themselves.
 * The clients share a few users, because a server allows 20 sessions for each user and
 * hashes passwords slowly.
 */
public final class RoomClients implements AutoCloseable {

	private static final int CLIENTS_PER_USER = 15;

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final Queue<RoomClient> open = new ConcurrentLinkedQueue<>();

	private final Connector connector;

	private final StudyUsers users;

	/**
	 * The user and the room of a client.
	 *
	 * @param token of the user
	 */
	public record Place(String token, String room) {
	}

	/**
	 * Signs up the users for up to a number of clients.
	 * @throws io.parley.loadtest.cli.RefusedException when this process may not open
	 * enough files, or the server rejects a request
	 */
	public RoomClients(URI url, int maxClients) {
		Target target = new Target();
		target.url = url;
		Refusals.checkOpenFiles(maxClients, Generator.maxOpenFiles());
		this.users = new StudyUsers(url, Math.ceilDiv(maxClients, CLIENTS_PER_USER));
		this.connector = new Connector(target, maxClients);
		this.clock.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
	}

	/**
	 * Creates a room for all the clients.
	 */
	public List<Place> oneRoom(String name, int clients) {
		List<User> members = this.users.all().subList(0, Math.ceilDiv(clients, CLIENTS_PER_USER));
		String room = this.users.createRoom(members.getFirst(), name, Math.max(2, members.size()));
		members.stream().skip(1).forEach((user) -> this.users.join(user, room));
		return IntStream.range(0, clients)
			.mapToObj((n) -> new Place(members.get(n % members.size()).token(), room))
			.toList();
	}

	/**
	 * Creates a separate room for each client.
	 */
	public List<Place> roomEach(String name, int clients) {
		List<User> owners = this.users.all();
		return IntStream.range(0, clients).mapToObj((n) -> {
			User owner = owners.get(n % owners.size());
			return new Place(owner.token(), this.users.createRoom(owner, name + "-" + n, 2));
		}).toList();
	}

	/**
	 * Starts to connect a client and to subscribe it to its room.
	 */
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
		this.users.close();
	}

}
