package io.parley.server.room;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.parley.server.database.Database;
import io.parley.server.room.WaitingMarkers.Key;
import io.parley.store.room.ReadMarker;
import io.parley.store.room.ReadMarkerRepository;
import jakarta.annotation.PreDestroy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * How far users have read. Clients send markers often, so they are kept in memory and
 * written once a second. Markers only move forward. Safe for use by many threads.
 */
@Component
public class ReadPositions {

	private static final Logger log = LoggerFactory.getLogger(ReadPositions.class);

	private static final Duration TIME_TO_LIVE = Duration.ofSeconds(10);

	private static final int MAX_BATCH = 1_000;

	private final ReadMarkerRepository stored;

	private final Database database;

	private final WaitingMarkers waiting = new WaitingMarkers();

	/** Markers that have moved and are not stored yet. */
	private final Map<Key, Long> unwritten = new ConcurrentHashMap<>();

	/**
	 * The last positions of users who read recently. Entries expire, because other
	 * servers move markers too.
	 */
	private final Cache<Key, Long> known = Caffeine.newBuilder()
		.maximumSize(100_000)
		.expireAfter(Expiry.<Key, Long>creating((key, position) -> TIME_TO_LIVE))
		.build();

	ReadPositions(ReadMarkerRepository stored, Database database) {
		this.database = database;
		this.stored = stored;
	}

	/**
	 * Moves the marker of a user who has posted. Does not wait for the store and is
	 * reported to nobody.
	 */
	public void advance(String room, String user, long position) {
		Key key = new Key(room, user);
		this.unwritten.merge(key, position, Math::max);
		this.known.asMap().computeIfPresent(key, (same, before) -> Math.max(before, position));
	}

	/**
	 * Takes a marker that a client has sent. Does not wait for the store: whether it
	 * moves is decided by {@link #moveWaiting}.
	 */
	public void read(String room, String user, long position) {
		this.waiting.add(new Key(room, user), position);
	}

	/** Returns whether there are markers for {@link #moveWaiting}. */
	public boolean hasWaiting() {
		return !this.waiting.isEmpty();
	}

	/**
	 * Moves the markers that were taken, in their order. Queries the positions of users
	 * who have not read recently, all at once. While the database is unavailable, their
	 * markers may be reported as moved again. Called by one thread at a time.
	 * @return the markers that have moved
	 */
	public List<ReadMarker> moveWaiting() {
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
				this.database.query(() -> this.stored.stored(unknown))
					.forEach((marker) -> before.merge(Key.of(marker), marker.position(), Math::max));
			}
			catch (RuntimeException ex) {
				log.debug("{} read markers may be reported as moved again", unknown.size(), ex);
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
	 * Returns whether the user is known to have read up to that position. Does not query
	 * the database; returns false if the position is not known.
	 */
	public boolean isKnown(String room, String user, long position) {
		Key key = new Key(room, user);
		Long furthest = this.known.getIfPresent(key);
		return furthest != null && position <= furthest || position <= this.waiting.position(key);
	}

	/**
	 * Returns the position of a marker that is not stored yet, or -1. Must be called
	 * before the store is queried: a marker that is no longer here has been stored.
	 */
	private long unstored(Key key) {
		return Math.max(this.waiting.position(key), this.unwritten.getOrDefault(key, -1L));
	}

	/**
	 * Returns the read positions of several users of a room. Users who have read nothing
	 * are left out.
	 */
	public Map<String, Long> positionsIn(String room, Collection<String> users) {
		Map<String, Long> positions = new HashMap<>();
		for (String user : users) {
			long position = unstored(new Key(room, user));
			if (position >= 0) {
				positions.put(user, position);
			}
		}
		this.stored.positionsIn(room, users).forEach((user, position) -> positions.merge(user, position, Math::max));
		return positions;
	}

	/**
	 * Returns how far these users of rooms have read, with one query for up to 200 of
	 * them.
	 */
	public List<ReadMarker> current(Collection<ReadMarker> users) {
		Map<Key, Long> positions = new LinkedHashMap<>();
		users.forEach((user) -> positions.put(Key.of(user), Math.max(0, unstored(Key.of(user)))));
		this.stored.stored(users).forEach((marker) -> positions.merge(Key.of(marker), marker.position(), Math::max));
		return positions.entrySet()
			.stream()
			.map((entry) -> new ReadMarker(entry.getKey().room(), entry.getKey().user(), entry.getValue()))
			.toList();
	}

	Map<String, Long> positions(String user) {
		Map<String, Long> positions = new HashMap<>();
		BiConsumer<Key, Long> add = (key, position) -> {
			if (key.user().equals(user)) {
				positions.merge(key.room(), position, Math::max);
			}
		};
		this.waiting.forEach(add);
		this.unwritten.forEach(add);
		this.stored.positions(user).forEach((room, position) -> positions.merge(room, position, Math::max));
		return positions;
	}

	/** Loses nothing when the server stops in order. */
	@PreDestroy
	void writeAll() {
		while (hasWaiting()) {
			moveWaiting();
		}
		write();
	}

	@Scheduled(fixedDelay = 1_000)
	void write() {
		List<ReadMarker> markers = new ArrayList<>();
		this.unwritten.forEach((key, position) -> markers.add(new ReadMarker(key.room(), key.user(), position)));
		if (markers.isEmpty()) {
			return;
		}
		try {
			this.stored.advance(markers);
			markers.forEach(
					(marker) -> this.unwritten.remove(new Key(marker.room(), marker.username()), marker.position()));
		}
		catch (RuntimeException ex) {
			log.warn("{} read markers wait for the database", markers.size(), ex);
		}
	}

}
