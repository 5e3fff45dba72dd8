package io.parley.loadtest.session;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import io.parley.loadtest.stomp.LoadMessage;

/**
 * Makes sessions notice that their subscription is active at servers without receipts:
 * while a session of a room waits, messages are sent to the room at intervals. Each one
 * reaches the whole room, so large rooms get few of them.
 */
final class Prober implements Runnable {

	static final int EVERY_MILLIS = 100;

	/** Average number of deliveries that the probes of one round may cause. */
	private static final int DELIVERIES = 500;

	private final List<List<Session>> rooms;

	private final String run;

	private long sequence = LoadMessage.UNCOUNTED;

	private int next;

	private int credit;

	Prober(List<Session> sessions, String run) {
		this.rooms = List.copyOf(sessions.stream().collect(Collectors.groupingBy(Session::room)).values());
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

	/**
	 * Sends a probe.
	 * @return the number of sessions it may reach
	 */
	private int probe(List<Session> room) {
		List<Session> waiting = room.stream()
			.filter((session) -> session.phase() == Session.Phase.SUBSCRIBING)
			.toList();
		if (waiting.isEmpty()) {
			return 0;
		}
		// Choose a random sender: one that hangs must not block the others.
		Session sender = waiting.get(ThreadLocalRandom.current().nextInt(waiting.size()));
		sender.send(new LoadMessage(this.run, this.sequence++, System.nanoTime()));
		return waiting.size() + (int) room.stream().filter((session) -> session.phase() == Session.Phase.LIVE).count();
	}

}
