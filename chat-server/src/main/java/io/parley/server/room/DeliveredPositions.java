package io.parley.server.room;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.parley.server.database.Database;
import io.parley.store.room.ReadMarker;
import io.parley.store.room.ReadMarkerRepository;
import jakarta.annotation.PreDestroy;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Up to where messages have been delivered to users, as their clients say. Kept in memory
 * and written every 5 seconds, so a killed server loses that much. Safe for use by many
 * threads.
 */
@Component
public class DeliveredPositions {

	private final Markers markers;

	DeliveredPositions(ReadMarkerRepository stored, Database database) {
		this.markers = new Markers(stored::storedDelivered, stored::advanceDelivered, database);
	}

	/**
	 * Takes a marker that a client has sent. Does not wait for the store: whether it
	 * moves is decided by {@link #moveWaiting}.
	 */
	public void deliver(String room, String user, long position) {
		this.markers.take(room, user, position);
	}

	/** Returns whether there are markers for {@link #moveWaiting}. */
	public boolean hasWaiting() {
		return this.markers.hasWaiting();
	}

	/**
	 * Moves the markers that were taken. Those of messages that the user has read do not
	 * move. Called by one thread at a time.
	 * @return the markers that have moved
	 */
	public List<ReadMarker> moveWaiting() {
		return this.markers.moveWaiting();
	}

	/** Returns whether messages up to that position are known to be delivered. */
	public boolean isKnown(String room, String user, long position) {
		return this.markers.isKnown(room, user, position);
	}

	/**
	 * Returns the markers of users of a room that are not stored yet. Must be called
	 * before the store is queried.
	 */
	Map<String, Long> unstored(String room, Collection<String> users) {
		return this.markers.unstored(room, users);
	}

	/** Loses nothing when the server stops in order. */
	@PreDestroy
	void writeAll() {
		this.markers.writeAll();
	}

	@Scheduled(fixedDelay = 5_000)
	void write() {
		this.markers.write();
	}

}
