package io.parley.loadtest.study.transports;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.study.client.RoomClients;
import io.parley.loadtest.study.client.RoomClients.Place;

/**
 * A chat-server in one of its modes: STOMP over WebSocket, with each message stored on
 * disk.
 */
final class ParleyTransport implements Transport {

	/**
	 * Maximum number of connections that are opened concurrently. More would only wait in
	 * the queue of the operating system.
	 */
	private static final int OPENING_AT_ONCE = 50;

	private static final long CONNECT_TIMEOUT = TimeUnit.SECONDS.toNanos(60);

	private final String name;

	private final AutoCloseable server;

	private final RoomClients clients;

	private List<Place> places = List.of();

	private int rooms;

	/**
	 * Uses a running server.
	 * @param name such as {@code Parley bus}
	 */
	ParleyTransport(String name, AutoCloseable server, RoomClients clients) {
		this.name = name;
		this.server = server;
		this.clients = clients;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean isParley() {
		return true;
	}

	@Override
	public void prepare(Cell cell) {
		String room = "round " + (++this.rooms);
		this.places = cell.toAll() ? this.clients.oneRoom(room, cell.clients())
				: this.clients.roomEach(room, cell.clients());
	}

	@Override
	public List<Link> connect(Cell cell, String group, Tally tally) throws Exception {
		List<ParleyLink> links = new ArrayList<>(cell.clients());
		long end = System.nanoTime() + CONNECT_TIMEOUT;
		for (int client = 0; client < cell.clients(); client++) {
			while (opening(links, tally, end) >= OPENING_AT_ONCE) {
				TimeUnit.MICROSECONDS.sleep(200);
			}
			links.add(new ParleyLink(this.clients, this.places.get(client), cell, client, tally));
		}
		while (opening(links, tally, end) > 0) {
			TimeUnit.MICROSECONDS.sleep(200);
		}
		return new ArrayList<>(links);
	}

	/**
	 * Returns the number of links that are not live yet.
	 * @throws TimeoutException when the time is over or a client has failed; all links
	 * are then closed
	 */
	private static long opening(List<ParleyLink> links, Tally tally, long end) throws TimeoutException {
		long opening = links.stream().filter((link) -> !link.isLive()).count();
		if (opening > 0 && (System.nanoTime() - end > 0 || !tally.problems().isEmpty())) {
			links.forEach(ParleyLink::close);
			throw new TimeoutException(opening + " clients could not connect");
		}
		return opening;
	}

	@Override
	public void close() {
		this.clients.close();
		if (Interrupt.requested()) {
			// Ctrl-C has already ended the server.
			return;
		}
		try {
			this.server.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
