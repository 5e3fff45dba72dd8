package io.parley.server.timeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

import io.parley.events.Positions;

/**
 * The newest events of one partition, bounded in bytes: the oldest go first. Safe for use
 * by many threads.
 */
final class TailPartition {

	/** Each that waits is woken by each record that is read. */
	/** So many records another server can be ahead; what is further is not waited for. */
	private static final long NEAR_RECORDS = 10_000;

	private static final int MAX_WAITING = 64;

	private final Semaphore waiting = new Semaphore(MAX_WAITING);

	private final long maxBytes;

	private final Deque<PositionedEvent> all = new ArrayDeque<>();

	private final Map<String, Deque<PositionedEvent>> byRoom = new HashMap<>();

	/** What memory has dropped. */
	private final DroppedEvents dropped;

	private long bytes;

	/** Every event from this offset on is here. */
	private long floorOffset;

	/** Every record below this offset was read. */
	private long nextOffset;

	TailPartition(long maxBytes, long floorOffset) {
		this.maxBytes = maxBytes;
		this.floorOffset = floorOffset;
		this.nextOffset = floorOffset;
		this.dropped = new DroppedEvents(floorOffset);
	}

	/**
	 * What the tail knows of a room.
	 *
	 * @param floorOffset every event of the partition from this offset on is in the tail
	 * @param events of the room, ascending
	 * @param knownFrom every event of the partition from this offset on is in the tail or
	 * was dropped by it
	 * @param dropped {@linkplain DroppedEvents.Mark marks} of the room, ascending
	 */
	record Slice(long floorOffset, List<PositionedEvent> events, long knownFrom, long[] dropped) {
	}

	synchronized void add(PositionedEvent event) {
		this.all.addLast(event);
		this.byRoom.computeIfAbsent(event.room(), (room) -> new ArrayDeque<>(4)).addLast(event);
		this.bytes += event.bytes();
		while (this.bytes > this.maxBytes && this.all.size() > 1) {
			dropOldest();
		}
	}

	private void dropOldest() {
		PositionedEvent oldest = this.all.removeFirst();
		this.bytes -= oldest.bytes();
		this.floorOffset = Positions.offset(oldest.position()) + 1;
		this.dropped.add(oldest);
		Deque<PositionedEvent> room = this.byRoom.get(oldest.room());
		if (room != null) {
			room.removeFirst();
			if (room.isEmpty()) {
				this.byRoom.remove(oldest.room());
			}
		}
	}

	/** Notes that everything below an offset is stored. */
	synchronized void stored(long belowOffset) {
		this.dropped.forgetBelow(belowOffset);
	}

	/** Notes that the record at that offset was read, whatever it was. */
	synchronized void read(long offset) {
		this.nextOffset = offset + 1;
		notifyAll();
	}

	/** The offset of the record to read next. */
	synchronized long nextOffset() {
		return this.nextOffset;
	}

	/**
	 * Waits until everything below an offset was read.
	 * @return whether that came true in time
	 */
	synchronized boolean awaitRead(long belowOffset, long timeoutMillis) {
		long deadline = System.currentTimeMillis() + timeoutMillis;
		try {
			for (long left = timeoutMillis; this.nextOffset < belowOffset; left = deadline
					- System.currentTimeMillis()) {
				if (left <= 0) {
					return false;
				}
				wait(left);
			}
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Waits until everything below an offset was read.
	 * @throws IllegalStateException when that does not come true in time
	 */
	void requireRead(long belowOffset, long timeoutMillis) {
		if (!awaitRead(belowOffset, timeoutMillis)) {
			throw new IllegalStateException("The tail is behind the log: offset " + belowOffset + " is not read yet");
		}
	}

	/**
	 * The same, but false at once when that is far away, or when too many wait like this
	 * already.
	 */
	boolean comesTo(long belowOffset, long timeoutMillis) {
		long missing = belowOffset - nextOffset();
		if (missing <= 0) {
			return true;
		}
		if (missing > NEAR_RECORDS || !this.waiting.tryAcquire()) {
			return false;
		}
		try {
			return awaitRead(belowOffset, timeoutMillis);
		}
		finally {
			this.waiting.release();
		}
	}

	/** The events at these offsets, ascending. */
	synchronized List<PositionedEvent> at(long fromOffset, long toOffset) {
		ArrayDeque<PositionedEvent> found = new ArrayDeque<>();
		for (Iterator<PositionedEvent> newestFirst = this.all.descendingIterator(); newestFirst.hasNext();) {
			PositionedEvent event = newestFirst.next();
			long offset = Positions.offset(event.position());
			if (offset < fromOffset) {
				break;
			}
			if (offset <= toOffset) {
				found.addFirst(event);
			}
		}
		return new ArrayList<>(found);
	}

	/** The events of a room after a position. */
	synchronized Slice after(String room, long position) {
		Deque<PositionedEvent> events = this.byRoom.getOrDefault(room, new ArrayDeque<>(1));
		ArrayDeque<PositionedEvent> found = new ArrayDeque<>();
		for (Iterator<PositionedEvent> newestFirst = events.descendingIterator(); newestFirst.hasNext();) {
			PositionedEvent event = newestFirst.next();
			if (event.position() <= position) {
				break;
			}
			found.addFirst(event);
		}
		return new Slice(this.floorOffset, new ArrayList<>(found), this.dropped.knownFrom(),
				this.dropped.after(room, position));
	}

}
