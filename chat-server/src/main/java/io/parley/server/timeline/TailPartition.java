package io.parley.server.timeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;

import io.parley.events.Positions;

/**
 * The newest events of one partition, limited by size: the oldest are dropped first. Safe
 * for use by many threads.
 */
final class TailPartition {

	/**
	 * Other servers can be ahead by up to this many records; calls do not wait for
	 * positions further ahead.
	 */
	private static final long NEAR_RECORDS = 10_000;

	/** Limits the waiting threads, because each record wakes all of them. */
	private static final int MAX_WAITING = 64;

	private final Semaphore waiting = new Semaphore(MAX_WAITING);

	private final long maxBytes;

	private final Deque<PositionedEvent> all = new ArrayDeque<>();

	private final Map<String, Deque<PositionedEvent>> byRoom = new HashMap<>();

	/**
	 * Messages that events in memory delete. Each change of a message looks here, because
	 * a busy room has thousands of events.
	 */
	private final Set<MessagePlace> deleted = new HashSet<>();

	/** Events no longer in memory. */
	private final DroppedEvents dropped;

	private long bytes;

	/** All events from this offset on are in memory. */
	private long floorOffset;

	/** All records below this offset were read. */
	private long nextOffset;

	/** All events below this offset are stored. */
	private volatile long storedOffset;

	TailPartition(long maxBytes, long floorOffset) {
		this.maxBytes = maxBytes;
		this.floorOffset = floorOffset;
		this.nextOffset = floorOffset;
		this.dropped = new DroppedEvents(floorOffset);
	}

	/**
	 * The state of a room as known to the tail.
	 *
	 * @param floorOffset all events of the partition from this offset on are in the tail
	 * @param events the events of the room, in ascending order
	 * @param knownFrom all events of the partition from this offset on are in the tail or
	 * were dropped by it
	 * @param dropped the {@linkplain DroppedEvents.Mark marks} of the dropped events of
	 * the room, in ascending order
	 */
	record Slice(long floorOffset, List<PositionedEvent> events, long knownFrom, long[] dropped) {
	}

	private record MessagePlace(String room, long position) {
	}

	synchronized void add(PositionedEvent event) {
		this.all.addLast(event);
		if (event.record().deletesMessage()) {
			this.deleted.add(target(event));
		}
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
		if (oldest.record().deletesMessage()) {
			this.deleted.remove(target(oldest));
		}
		Deque<PositionedEvent> room = this.byRoom.get(oldest.room());
		if (room != null) {
			room.removeFirst();
			if (room.isEmpty()) {
				this.byRoom.remove(oldest.room());
			}
		}
	}

	private static MessagePlace target(PositionedEvent event) {
		return new MessagePlace(event.room(), event.record().target());
	}

	/** Records that everything below an offset is stored. */
	synchronized void stored(long belowOffset) {
		if (belowOffset > this.storedOffset) {
			// First, because who reads the offset and then the events must miss none.
			this.storedOffset = belowOffset;
			this.dropped.forgetBelow(belowOffset);
		}
	}

	/** Returns an offset below which all events are known to be stored. */
	long storedOffset() {
		return this.storedOffset;
	}

	/** Records that the record at an offset was read, whether or not it held an event. */
	synchronized void read(long offset) {
		this.nextOffset = offset + 1;
		notifyAll();
	}

	/**
	 * Returns whether all events that are not stored are in memory or were dropped by it.
	 */
	synchronized boolean knowsAllUnstored() {
		return this.storedOffset >= this.dropped.knownFrom();
	}

	/** Returns the offset of the next record to read. */
	synchronized long nextOffset() {
		return this.nextOffset;
	}

	/**
	 * Waits until everything below an offset was read.
	 * @return false if that takes too long
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
	 * @throws IllegalStateException if that takes too long
	 */
	void requireRead(long belowOffset, long timeoutMillis) {
		if (!awaitRead(belowOffset, timeoutMillis)) {
			throw new IllegalStateException(
					"The tail is behind the log: offset " + belowOffset + " has not been read yet");
		}
	}

	/**
	 * Waits like {@link #awaitRead}, but returns false at once if the offset is too far
	 * ahead or too many callers wait already.
	 */
	boolean awaitReadIfNear(long belowOffset, long timeoutMillis) {
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

	/** Returns the events in memory from an offset on, in ascending order. */
	synchronized List<PositionedEvent> from(long offset) {
		ArrayDeque<PositionedEvent> found = new ArrayDeque<>();
		for (Iterator<PositionedEvent> newestFirst = this.all.descendingIterator(); newestFirst.hasNext();) {
			PositionedEvent event = newestFirst.next();
			if (Positions.offset(event.position()) < offset) {
				break;
			}
			found.addFirst(event);
		}
		return new ArrayList<>(found);
	}

	/** Returns whether the events in memory delete a message. */
	synchronized boolean isDeleted(String room, long position) {
		return this.deleted.contains(new MessagePlace(room, position));
	}

	/** Returns the events of a room after a position. */
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
