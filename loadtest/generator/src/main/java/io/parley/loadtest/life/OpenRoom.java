package io.parley.loadtest.life;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The room that one user has open, and the read markers that are to be sent. Safe for use
 * by many threads.
 */
final class OpenRoom {

	private final LifeContext life;

	private final boolean looking;

	private final Map<String, Long> unsentMarkers = new HashMap<>();

	private @Nullable String room;

	/**
	 * Creates it without a room.
	 * @param looking whether the user looks at the open room, and so reads it
	 */
	OpenRoom(LifeContext life, boolean looking) {
		this.life = life;
		this.looking = looking;
	}

	synchronized void open(String next) {
		this.room = next;
	}

	synchronized @Nullable String room() {
		return this.room;
	}

	synchronized boolean is(String other) {
		return other.equals(this.room);
	}

	/**
	 * Forgets a room that the user has left.
	 */
	synchronized void left(String other) {
		this.unsentMarkers.remove(other);
		if (is(other)) {
			this.room = null;
		}
	}

	/**
	 * Moves the read marker of the room to its last event if the user has it open and
	 * looks at it.
	 */
	synchronized void read(RoomFeed feed) {
		boolean reads = this.looking && this.life.reading && is(feed.room());
		Long position = reads ? feed.readAll() : null;
		if (position != null) {
			this.unsentMarkers.put(feed.room(), position);
		}
	}

	/**
	 * Returns the read markers that have to be sent, by room, and forgets them.
	 */
	synchronized Map<String, Long> takeMarkers() {
		if (this.unsentMarkers.isEmpty()) {
			return Map.of();
		}
		Map<String, Long> markers = Map.copyOf(this.unsentMarkers);
		this.unsentMarkers.clear();
		return markers;
	}

}
