package io.parley.server.room;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.BiConsumer;

import io.parley.store.room.ReadMarker;

/**
 * Markers that clients have sent and that were not compared with the previous positions
 * yet, in the order in which they came. Safe for use by many threads.
 */
final class WaitingMarkers {

	private final SequencedMap<Key, Long> positions = new LinkedHashMap<>();

	record Key(String room, String user) {

		static Key of(ReadMarker marker) {
			return new Key(marker.room(), marker.username());
		}

	}

	synchronized void add(Key key, long position) {
		this.positions.putLast(key, Math.max(position, this.positions.getOrDefault(key, 0L)));
	}

	synchronized boolean isEmpty() {
		return this.positions.isEmpty();
	}

	/** Returns the position of a marker, or -1 if there is none. */
	synchronized long position(Key key) {
		return this.positions.getOrDefault(key, -1L);
	}

	/**
	 * Returns the first markers. They stay here until they are {@link #remove removed}.
	 */
	synchronized List<ReadMarker> first(int limit) {
		return this.positions.entrySet()
			.stream()
			.limit(limit)
			.map((entry) -> new ReadMarker(entry.getKey().room(), entry.getKey().user(), entry.getValue()))
			.toList();
	}

	/** Removes a marker, unless a further one has come since. */
	synchronized void remove(ReadMarker marker) {
		this.positions.remove(Key.of(marker), marker.position());
	}

	synchronized void forEach(BiConsumer<Key, Long> action) {
		this.positions.forEach(action);
	}

}
