package io.parley.loadtest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import io.parley.loadtest.Session.Phase;

/**
 * Shows sessions that their subscription is there, where the server does not say so: as
 * long as one waits, a message goes to its room every now and then. Each reaches the
 * whole room, so they are few for large rooms.
 */
final class Prober implements Runnable {

	static final int EVERY_MILLIS = 100;

	/** How many deliveries the probes may cause each time, on average. */
	private static final int DELIVERIES = 500;

	private final List<List<Session>> rooms;

	private final String run;

	private long sequence = LoadMessage.UNCOUNTED;

	private int next;

	private int credit;

	Prober(List<Session> sessions, String run) {
		Map<RoomLedger, List<Session>> byRoom = new HashMap<>();
		sessions.forEach((session) -> byRoom.computeIfAbsent(session.room(), (room) -> new ArrayList<>()).add(session));
		this.rooms = List.copyOf(byRoom.values());
		this.run = run;
	}

	@Override
	public void run() {
		this.credit = Math.min(this.credit, 0) + DELIVERIES;
		for (int n = 0; n < this.rooms.size() && this.credit > 0; n++) {
			this.credit -= probe(this.rooms.get(this.next));
			this.next = (this.next + 1) % this.rooms.size();
		}
	}

	/** Answers how many sessions it may reach. */
	private int probe(List<Session> room) {
		List<Session> waiting = room.stream().filter((session) -> session.phase() == Phase.SUBSCRIBING).toList();
		if (waiting.isEmpty()) {
			return 0;
		}
		// Not always the same: one that hangs must not keep the others waiting.
		Session sender = waiting.get(ThreadLocalRandom.current().nextInt(waiting.size()));
		sender.send(new LoadMessage(this.run, this.sequence++, System.nanoTime()));
		return waiting.size() + (int) room.stream().filter((session) -> session.phase() == Phase.LIVE).count();
	}

}
