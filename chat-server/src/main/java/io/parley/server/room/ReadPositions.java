package io.parley.server.room;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.server.database.Database;
import io.parley.server.room.WaitingMarkers.Key;
import io.parley.store.room.MemberMarkers;
import io.parley.store.room.ReadMarker;
import io.parley.store.room.ReadMarkerRepository;
import io.parley.store.room.Readers;
import jakarta.annotation.PreDestroy;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * How far users have read. Clients send markers often, so they are kept in memory and
 * written once a second. Markers only move forward. Safe for use by many threads.
 */
@Component
public class ReadPositions {

	/** If more users have read in the last second, their markers are written first. */
	private static final int MAX_OTHERS = 1_000;

	private final ReadMarkerRepository stored;

	private final Database database;

	private final Markers markers;

	ReadPositions(ReadMarkerRepository stored, Database database) {
		this.stored = stored;
		this.database = database;
		this.markers = new Markers(stored::stored, stored::advance, database);
	}

	/**
	 * Moves the marker of a user who has posted. Does not wait for the store and is
	 * reported to nobody.
	 */
	public void advance(String room, String user, long position) {
		this.markers.advance(room, user, position);
	}

	/**
	 * Takes a marker that a client has sent. Does not wait for the store: whether it
	 * moves is decided by {@link #moveWaiting}.
	 */
	public void read(String room, String user, long position) {
		this.markers.take(room, user, position);
	}

	/** Returns whether there are markers for {@link #moveWaiting}. */
	public boolean hasWaiting() {
		return this.markers.hasWaiting();
	}

	/**
	 * Moves the markers that were taken, in their order. Queries the positions of users
	 * who have not read recently, all at once. While the database is unavailable, their
	 * markers may be reported as moved again. Called by one thread at a time.
	 * @return the markers that have moved
	 */
	public List<ReadMarker> moveWaiting() {
		return this.markers.moveWaiting();
	}

	/**
	 * Returns whether the user is known to have read up to that position. Does not query
	 * the database; returns false if the position is not known.
	 */
	public boolean isKnown(String room, String user, long position) {
		return this.markers.isKnown(room, user, position);
	}

	/**
	 * Writes those of the markers that are not stored yet, so that other servers know
	 * them too. Gives up while the database is unavailable.
	 */
	public void writeNow(Collection<ReadMarker> markers) {
		this.markers.writeNow(markers);
	}

	/**
	 * Returns the markers of several users of a room. Users who have none are left out.
	 * The delivered positions are those that are stored.
	 */
	Map<String, MemberMarkers> markersIn(String room, Collection<String> users) {
		Map<String, Long> unstored = this.markers.unstored(room, users);
		Map<String, MemberMarkers> markers = new HashMap<>(this.stored.markersIn(room, users));
		unstored.forEach((user, position) -> markers.put(user,
				markers.getOrDefault(user, MemberMarkers.NONE).withRead(position)));
		return markers;
	}

	/**
	 * Returns the members of a room who have read up to a position, by name. Contains all
	 * markers that this server knows, and all that other servers have signalled.
	 * @param limit the maximum number of names
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if the
	 * database is unavailable
	 */
	public Readers readers(String room, long position, int limit) {
		Set<String> unstored = this.markers.unstoredIn(room, (marker) -> marker >= position);
		if (unstored.size() > MAX_OTHERS) {
			this.markers.write();
			unstored = this.markers.unstoredIn(room, (marker) -> marker >= position);
		}
		Set<String> others = unstored;
		return this.database.query(() -> this.stored.readers(room, position, others, limit));
	}

	/**
	 * Returns how far these users of rooms have read, with one query for up to 200 of
	 * them.
	 */
	public List<ReadMarker> current(Collection<ReadMarker> users) {
		Map<Key, Long> positions = new LinkedHashMap<>();
		users.forEach((user) -> positions.put(Key.of(user),
				Math.max(0, this.markers.unstored(user.room(), user.username()))));
		this.stored.stored(users).forEach((marker) -> positions.merge(Key.of(marker), marker.position(), Math::max));
		return positions.entrySet()
			.stream()
			.map((entry) -> new ReadMarker(entry.getKey().room(), entry.getKey().user(), entry.getValue()))
			.toList();
	}

	Map<String, Long> positions(String user) {
		Map<String, Long> positions = this.markers.unstoredOf(user);
		this.stored.positions(user).forEach((room, position) -> positions.merge(room, position, Math::max));
		return positions;
	}

	/** Loses nothing when the server stops in order. */
	@PreDestroy
	void writeAll() {
		this.markers.writeAll();
	}

	@Scheduled(fixedDelay = 1_000)
	void write() {
		this.markers.write();
	}

}
