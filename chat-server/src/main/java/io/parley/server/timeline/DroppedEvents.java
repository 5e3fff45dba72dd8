package io.parley.server.timeline;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import io.parley.events.Positions;

/**
 * The positions of the events of one partition that are no longer in memory and may not
 * be stored yet. Takes about 12 bytes per event, its {@link Mark}, and saves scanning the
 * log for the events of a room. Not safe for use by many threads.
 */
final class DroppedEvents {

	/** Limits the memory to about 4 MB. */
	private static final int MAX_EVENTS = 250_000;

	private static final long[] NO_MARKS = {};

	private final Map<String, Marks> byRoom = new HashMap<>();

	/** The room of each event, oldest first. */
	private final Deque<String> rooms = new ArrayDeque<>();

	/** All events from this offset on are known here or in memory. */
	private long knownFrom;

	DroppedEvents(long knownFrom) {
		this.knownFrom = knownFrom;
	}

	void add(PositionedEvent event) {
		this.byRoom.computeIfAbsent(event.room(), (room) -> new Marks()).add(Mark.of(event));
		this.rooms.addLast(event.room());
		if (this.rooms.size() > MAX_EVENTS) {
			removeOldest();
		}
	}

	/** Removes the events below an offset, because they are stored. */
	void forgetBelow(long offset) {
		while (!this.rooms.isEmpty() && oldestOffset() < offset) {
			removeOldest();
		}
	}

	private long oldestOffset() {
		Marks marks = this.byRoom.get(this.rooms.getFirst());
		return (marks != null) ? Positions.offset(Mark.position(marks.first())) : 0;
	}

	private void removeOldest() {
		this.knownFrom = oldestOffset() + 1;
		this.byRoom.computeIfPresent(this.rooms.removeFirst(), (room, marks) -> marks.removeFirst() ? marks : null);
	}

	long knownFrom() {
		return this.knownFrom;
	}

	/** Returns the marks of a room after a position, in ascending order. */
	long[] after(String room, long position) {
		Marks marks = this.byRoom.get(room);
		return (marks != null) ? marks.after(position) : NO_MARKS;
	}

	/**
	 * A position, and whether its event is a message, is a change, or may mention
	 * somebody, packed into one number. Marks sort by position.
	 */
	static final class Mark {

		private Mark() {
		}

		static long of(PositionedEvent event) {
			return event.position() << 3 | (event.record().mayMention() ? 4 : 0) | (event.isChange() ? 2 : 0)
					| (event.record().counts() ? 1 : 0);
		}

		/** Returns the last mark that a position can have. */
		static long last(long position) {
			return position << 3 | 7;
		}

		static long position(long mark) {
			return mark >>> 3;
		}

		static boolean isMessage(long mark) {
			return (mark & 1) != 0;
		}

		static boolean isChange(long mark) {
			return (mark & 2) != 0;
		}

		static boolean mayMention(long mark) {
			return (mark & 4) != 0;
		}

	}

	/** A queue of marks. */
	private static final class Marks {

		private long[] marks = new long[4];

		private int from;

		private int to;

		void add(long mark) {
			if (this.to == this.marks.length) {
				int size = this.to - this.from;
				long[] target = (size > this.marks.length / 2) ? new long[this.marks.length * 2] : this.marks;
				System.arraycopy(this.marks, this.from, target, 0, size);
				this.marks = target;
				this.from = 0;
				this.to = size;
			}
			this.marks[this.to++] = mark;
		}

		long first() {
			return this.marks[this.from];
		}

		/** Removes the oldest mark and returns whether any are left. */
		boolean removeFirst() {
			this.from++;
			return this.from < this.to;
		}

		long[] after(long position) {
			int found = Arrays.binarySearch(this.marks, this.from, this.to, Mark.last(position));
			return Arrays.copyOfRange(this.marks, (found >= 0) ? found + 1 : -found - 1, this.to);
		}

	}

}
