package io.parley.loadtest;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What one room must have delivered to each of its sessions: every message that the
 * server accepted, or that was sent where no server confirms, and every message that
 * anybody saw. Safe for concurrent use.
 */
final class RoomLedger {

	private static final long NOT_SEEN = 0;

	private final String id;

	private final ConcurrentMap<Long, Long> positions = new ConcurrentHashMap<>();

	RoomLedger(String id) {
		this.id = id;
	}

	String id() {
		return this.id;
	}

	/** Every session of this room must get this message. */
	void expect(long sequence) {
		this.positions.putIfAbsent(sequence, NOT_SEEN);
	}

	/**
	 * A session saw this message.
	 * @return false when the room holds it a second time, at another position
	 */
	boolean seen(long sequence, long position) {
		long first = this.positions.merge(sequence, position, (old, now) -> (old == NOT_SEEN) ? now : old);
		return first == position;
	}

	/** How many different messages each session of this room must have. */
	int expected() {
		return this.positions.size();
	}

}
