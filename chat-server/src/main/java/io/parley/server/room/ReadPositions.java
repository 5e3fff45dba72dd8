package io.parley.server.room;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.parley.server.database.Database;
import io.parley.server.error.ChatException;
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

	private final ReadMarkerRepository stored;

	private final Database database;

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

	private record Key(String room, String user) {
	}

	/**
	 * Moves the marker of a user forward. Does not wait for the store.
	 * @see #move
	 */
	public void advance(String room, String user, long position) {
		Key key = new Key(room, user);
		this.unwritten.merge(key, position, Math::max);
		this.known.asMap().computeIfPresent(key, (same, before) -> Math.max(before, position));
	}

	/**
	 * Moves the marker of a user forward. Queries the store if the user has not read
	 * recently. While the database is unavailable, such a user's marker may be reported
	 * as moved again.
	 * @return whether the marker has moved
	 */
	public boolean move(String room, String user, long position) {
		Key key = new Key(room, user);
		// Queried outside the cache, so that no other thread waits for the cache's lock.
		Long cached = this.known.getIfPresent(key);
		long before = (cached != null) ? cached : positionBefore(key);
		AtomicBoolean moved = new AtomicBoolean();
		this.known.asMap().compute(key, (same, present) -> {
			long furthest = (present != null) ? present : before;
			moved.setPlain(position > furthest);
			return Math.max(furthest, position);
		});
		// Updated after the cache; otherwise, of several concurrent calls, none might
		// report the move.
		this.unwritten.merge(key, position, Math::max);
		return moved.getPlain();
	}

	private long positionBefore(Key key) {
		try {
			return this.database.query(() -> position(key.room(), key.user()));
		}
		catch (ChatException ex) {
			return this.unwritten.getOrDefault(key, 0L);
		}
	}

	/**
	 * Returns whether the user is known to have read up to that position. Does not query
	 * the database; returns false if the position is not known.
	 */
	public boolean isKnown(String room, String user, long position) {
		Long furthest = this.known.getIfPresent(new Key(room, user));
		return furthest != null && position <= furthest;
	}

	/** Returns the position up to which the user has read, 0 if nothing. */
	public long position(String room, String user) {
		// Read before the store: a marker that is no longer here has been stored.
		long latest = this.unwritten.getOrDefault(new Key(room, user), 0L);
		return Math.max(this.stored.position(room, user), latest);
	}

	/**
	 * Returns the read positions of several users of a room. Users who have read nothing
	 * are left out.
	 */
	public Map<String, Long> positionsIn(String room, Collection<String> users) {
		Map<String, Long> positions = new HashMap<>();
		for (String user : users) {
			Long position = this.unwritten.get(new Key(room, user));
			if (position != null) {
				positions.put(user, position);
			}
		}
		this.stored.positionsIn(room, users).forEach((user, position) -> positions.merge(user, position, Math::max));
		return positions;
	}

	Map<String, Long> positions(String user) {
		Map<String, Long> positions = new HashMap<>();
		this.unwritten.forEach((key, position) -> {
			if (key.user().equals(user)) {
				positions.put(key.room(), position);
			}
		});
		this.stored.positions(user).forEach((room, position) -> positions.merge(room, position, Math::max));
		return positions;
	}

	@Scheduled(fixedDelay = 1_000)
	@PreDestroy
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
