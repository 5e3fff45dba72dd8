package io.parley.loadtest.study.transports;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.parley.loadtest.cli.Target;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.study.client.StudyUsers;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;

/**
 * A chat-server in one of its modes: STOMP over WebSocket, with each message stored on
 * disk. The clients share a few users, because a server allows 20 sessions for each user
 * and hashes passwords slowly.
 */
final class ParleyTransport implements Transport, AutoCloseable {

	private static final int CLIENTS_PER_USER = 15;

	/**
	 * Maximum number of connections that are opened concurrently. More would only wait in
	 * the queue of the operating system.
	 */
	private static final int OPENING_AT_ONCE = 50;

	private static final long CONNECT_TIMEOUT = TimeUnit.SECONDS.toNanos(60);

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final Queue<ParleyLink> open = new ConcurrentLinkedQueue<>();

	private final String name;

	private final Connector connector;

	private final RestApi api;

	private final List<Account> users;

	/** The room of each client in the next round. */
	private final List<String> rooms = new ArrayList<>();

	private int rounds;

	/**
	 * Signs up the users for up to a number of clients.
	 * @param name such as {@code Parley bus}
	 * @throws io.parley.loadtest.cli.LoadTestException when this process may not open
	 * enough files, or the server rejects a request
	 */
	ParleyTransport(String name, URI url, int maxClients) {
		this.name = name;
		Target target = new Target();
		target.url = url;
		Preconditions.checkOpenFiles(maxClients, Generator.maxOpenFiles());
		this.api = new RestApi(url);
		this.users = StudyUsers.signUp(this.api, Math.ceilDiv(maxClients, CLIENTS_PER_USER));
		this.connector = new Connector(target, maxClients);
		this.clock.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void prepare(Cell cell) {
		String title = "round " + (++this.rounds);
		this.rooms.clear();
		int members = members(cell);
		String common = cell.toAll() ? this.api.createRoom(this.users.getFirst().token(), title, Math.max(2, members))
				: "";
		for (int n = 1; cell.toAll() && n < members; n++) {
			this.api.join(this.users.get(n).token(), common, this.users.get(n).username());
		}
		for (int n = 0; n < cell.clients(); n++) {
			this.rooms.add(cell.toAll() ? common : this.api.createRoom(user(cell, n).token(), title + "-" + n, 2));
		}
	}

	/**
	 * Returns how many users the clients share: those who are members of the common room,
	 * or all.
	 */
	private int members(Cell cell) {
		return cell.toAll() ? Math.ceilDiv(cell.clients(), CLIENTS_PER_USER) : this.users.size();
	}

	private Account user(Cell cell, int client) {
		return this.users.get(client % members(cell));
	}

	@Override
	public List<Link> connect(List<RoundClient> clients) throws Exception {
		List<ParleyLink> links = new ArrayList<>(clients.size());
		long end = System.nanoTime() + CONNECT_TIMEOUT;
		for (RoundClient client : clients) {
			awaitOpening(links, OPENING_AT_ONCE, end, client.check());
			ParleyLink link = new ParleyLink(user(client.cell(), client.number()).token(),
					this.rooms.get(client.number()), client);
			links.add(link);
			this.open.add(link);
			this.connector.open(link);
		}
		awaitOpening(links, 1, end, clients.getFirst().check());
		return List.copyOf(links);
	}

	/**
	 * Waits until fewer than this number of links are not ready yet.
	 * @throws TimeoutException when the time is over or a client has failed; all links
	 * are then closed
	 */
	private static void awaitOpening(List<ParleyLink> links, int number, long end, DeliveryCheck check)
			throws InterruptedException, TimeoutException {
		long opening = links.stream().filter((link) -> !link.isReady()).count();
		while (opening >= number) {
			if (System.nanoTime() - end > 0 || !check.problems().isEmpty()) {
				links.forEach(ParleyLink::leave);
				throw new TimeoutException(opening + " clients could not connect");
			}
			TimeUnit.MICROSECONDS.sleep(200);
			opening = links.stream().filter((link) -> !link.isReady()).count();
		}
	}

	private void tick() {
		long now = System.nanoTime();
		this.open.removeIf(ParleyLink::isOver);
		this.open.forEach((link) -> link.tick(now));
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.open.forEach(ParleyLink::leave);
		this.connector.close();
		this.api.close();
	}

}
