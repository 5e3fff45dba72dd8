package io.parley.server.room;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.parley.server.database.Database;
import io.parley.server.room.WaitingMarkers.Key;
import io.parley.store.room.ReadMarker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Markers of one kind that are kept in memory until they are stored. They only move
 * forward. Safe for use by many threads.
 */
final class Markers {

	private static final Logger log = LoggerFactory.getLogger(Markers.class);

	private static final Duration TIME_TO_LIVE = Duration.ofSeconds(10);

	private static final int MAX_BATCH = 1_000;

	private final Function<Collection<ReadMarker>, List<ReadMarker>> stored;

	private final Consumer<Collection<ReadMarker>> advance;

	private final Database database;

	private final WaitingMarkers waiting = new WaitingMarkers();

	/** Markers that have moved and are not stored yet. */
	private final Map<Key, Long> unwritten = new ConcurrentHashMap<>();

	/**
	 * The last positions of users whose markers moved recently. Entries expire, because
	 * other servers move markers too. Maintained by the callers: to wake another thread
	 * for each message costs more.
	 */
	private final Cache<Key, Long> known = Caffeine.newBuilder()
		.executor(Runnable::run)
		.maximumSize(100_000)
		.expireAfter(Expiry.<Key, Long>creating((key, position) -> TIME_TO_LIVE))
		.build();

	/**
	 * Creates markers that are kept in a store.
	 * @param stored returns the stored positions of these users of rooms
	 * @param advance advances stored markers
	 */
	Markers(Function<Collection<ReadMarker>, List<ReadMarker>> stored, Consumer<Collection<ReadMarker>> advance,
			Database database) {
		this.stored = stored;
		this.advance = advance;
		this.database = database;
	}

	/** Moves a marker that is known to move. Does not wait for the store. */
	void advance(String room, String user, long position) {
		Key key = new Key(room, user);
		this.unwritten.merge(key, position, Math::max);
		this.known.asMap().computeIfPresent(key, (same, before) -> Math.max(before, position));
	}

	/**
	 * Takes a marker that a client has sent. Does not wait for the store: whether it
	 * moves is decided by {@link #moveWaiting}.
	 */
	void take(String room, String user, long position) {
		this.waiting.add(new Key(room, user), position);
	}

	/** Returns whether there are markers for {@link #moveWaiting}. */
	boolean hasWaiting() {
		return !this.waiting.isEmpty();
	}

	/**
	 * Moves the markers that were taken, in their order. Queries the positions of users
	 * whose markers did not move recently, all at once. While the database is
	 * unavailable, their markers may be reported as moved again. Called by one thread at
	 * a time.
	 * @return the markers that have moved
	 */
	List<ReadMarker> moveWaiting() {
		List<ReadMarker> taken = this.waiting.first(MAX_BATCH);
		Map<Key, Long> before = positionsBefore(taken);
		return taken.stream().filter((marker) -> move(marker, before)).toList();
	}

	private Map<Key, Long> positionsBefore(List<ReadMarker> markers) {
		List<ReadMarker> unknown = markers.stream()
			.filter((marker) -> this.known.getIfPresent(Key.of(marker)) == null)
			.toList();
		Map<Key, Long> before = new HashMap<>();
		// Read before the store: a marker that is no longer here has been stored.
		unknown.forEach((marker) -> before.put(Key.of(marker), this.unwritten.getOrDefault(Key.of(marker), 0L)));
		if (!unknown.isEmpty()) {
			try {
				this.database.query(() -> this.stored.apply(unknown))
					.forEach((marker) -> before.merge(Key.of(marker), marker.position(), Math::max));
			}
			catch (RuntimeException ex) {
				log.debug("{} markers may be reported as moved again", unknown.size(), ex);
			}
		}
		return before;
	}

	private boolean move(ReadMarker marker, Map<Key, Long> before) {
		Key key = Key.of(marker);
		AtomicBoolean moved = new AtomicBoolean();
		this.known.asMap().compute(key, (same, present) -> {
			long furthest = (present != null) ? present : before.getOrDefault(key, 0L);
			moved.setPlain(marker.position() > furthest);
			return Math.max(furthest, marker.position());
		});
		if (moved.getPlain()) {
			this.unwritten.merge(key, marker.position(), Math::max);
		}
		// Last: who does not find a marker here finds it in the next map.
		this.waiting.remove(marker);
		return moved.getPlain();
	}

	/**
	 * Returns whether the marker of the user is known to have moved up to that position.
	 * Does not query the database; returns false if the position is not known.
	 */
	boolean isKnown(String room, String user, long position) {
		Key key = new Key(room, user);
		Long furthest = this.known.getIfPresent(key);
		return furthest != null && position <= furthest || position <= this.waiting.position(key);
	}

	/**
	 * Returns the position of a marker that is not stored yet, or -1. Must be called
	 * before the store is queried: a marker that is no longer here has been stored.
	 */
	long unstored(String room, String user) {
		Key key = new Key(room, user);
		return Math.max(this.waiting.position(key), this.unwritten.getOrDefault(key, -1L));
	}

	/** Does the same for several users of a room, without those who have none. */
	Map<String, Long> unstored(String room, Collection<String> users) {
		Map<String, Long> positions = new HashMap<>();
		for (String user : users) {
			long position = unstored(room, user);
			if (position >= 0) {
				positions.put(user, position);
			}
		}
		return positions;
	}

	/** Does the same for all rooms of a user. */
	Map<String, Long> unstoredOf(String user) {
		Map<String, Long> positions = new HashMap<>();
		forEachUnstored((key, position) -> {
			if (key.user().equals(user)) {
				positions.merge(key.room(), position, Math::max);
			}
		});
		return positions;
	}

	/** Returns the users of a room with a marker that is not stored yet and matches. */
	Set<String> unstoredIn(String room, LongPredicate position) {
		Set<String> users = new HashSet<>();
		forEachUnstored((key, unstored) -> {
			if (key.room().equals(room) && position.test(unstored)) {
				users.add(key.user());
			}
		});
		return users;
	}

	private void forEachUnstored(BiConsumer<Key, Long> action) {
		this.waiting.forEach(action);
		this.unwritten.forEach(action);
	}

	/** Writes everything, also what waits, when the server stops. */
	void writeAll() {
		while (hasWaiting()) {
			moveWaiting();
		}
		write();
	}

	/** Writes the markers that have moved. They stay here if it fails. */
	void write() {
		List<ReadMarker> markers = new ArrayList<>();
		this.unwritten.forEach((key, position) -> markers.add(new ReadMarker(key.room(), key.user(), position)));
		if (markers.isEmpty()) {
			return;
		}
		try {
			write(markers);
		}
		catch (RuntimeException ex) {
			log.warn("{} markers wait for the database", markers.size(), ex);
		}
	}

	private void write(List<ReadMarker> markers) {
		this.advance.accept(markers);
		markers.forEach((marker) -> this.unwritten.remove(Key.of(marker), marker.position()));
	}

	/**
	 * Writes those of the markers that are not stored yet, all at once. They stay here if
	 * the database is unavailable.
	 */
	void writeNow(Collection<ReadMarker> markers) {
		List<ReadMarker> now = new ArrayList<>();
		for (ReadMarker marker : markers) {
			Long position = this.unwritten.get(Key.of(marker));
			if (position != null) {
				now.add(new ReadMarker(marker.room(), marker.username(), position));
			}
		}
		if (now.isEmpty()) {
			return;
		}
		try {
			this.database.query(() -> {
				write(now);
				return true;
			});
		}
		catch (RuntimeException ex) {
			log.debug("{} markers wait for the database", now.size(), ex);
		}
	}

}
