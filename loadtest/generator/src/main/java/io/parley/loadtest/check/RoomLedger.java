package io.parley.loadtest.check;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The messages that one room must deliver to each of its sessions: every message that the
 * server accepted (or that was sent, at a server without receipts), and every message
 * that any session received. Safe for use by many threads.
 */
public final class RoomLedger {

	private static final long NOT_SEEN = 0;

	private final String id;

	private final ConcurrentMap<Long, Long> positions = new ConcurrentHashMap<>();

	private final AtomicLong newest = new AtomicLong();

	public RoomLedger(String id) {
		this.id = id;
	}

	public String id() {
		return this.id;
	}

	/**
	 * Adds a message that every session of this room must receive.
	 */
	public void expect(long sequence) {
		this.positions.putIfAbsent(sequence, NOT_SEEN);
	}

	/**
	 * Records that a session received this message.
	 * @return false when the message was received before at another position
	 */
	public boolean seen(long sequence, long position) {
		this.newest.accumulateAndGet(position, Math::max);
		long first = this.positions.merge(sequence, position, (old, now) -> (old == NOT_SEEN) ? now : old);
		return first == position;
	}

	/**
	 * Returns the greatest position that any session received; 0 before the first.
	 */
	public long newest() {
		return this.newest.get();
	}

	/**
	 * Returns the number of messages above a position.
	 */
	public long countAfter(long position) {
		return (this.newest.get() > position) ? this.positions.values().stream().filter((at) -> at > position).count()
				: 0;
	}

	/**
	 * Returns the number of expected messages that no session has received.
	 */
	public long unseen() {
		return this.positions.values().stream().filter((at) -> at == NOT_SEEN).count();
	}

	/**
	 * Returns the number of distinct messages that each session of this room must
	 * receive.
	 */
	public int expected() {
		return this.positions.size();
	}

}
