package io.parley.server.room;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.store.room.ReadMarker;
import io.parley.store.room.ReadMarkers;
import jakarta.annotation.PreDestroy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * How far users have read. Markers come with every glance at a room, so they are kept in
 * memory and written once a second; they only move forward.
 */
@Component
public class ReadPositions {

	private static final Logger log = LoggerFactory.getLogger(ReadPositions.class);

	private final ReadMarkers stored;

	private final Map<Key, Long> unwritten = new ConcurrentHashMap<>();

	ReadPositions(ReadMarkers stored) {
		this.stored = stored;
	}

	private record Key(String room, String user) {
	}

	/** Moves the marker of a user forward. */
	public void advance(String room, String user, long position) {
		this.unwritten.merge(new Key(room, user), position, Math::max);
	}

	/** The position up to which the user has read; 0 when nothing. */
	public long position(String room, String user) {
		return Math.max(this.stored.position(room, user), this.unwritten.getOrDefault(new Key(room, user), 0L));
	}

	Map<String, Long> positions(String user) {
		Map<String, Long> positions = new HashMap<>(this.stored.positions(user));
		this.unwritten.forEach((key, position) -> {
			if (key.user().equals(user)) {
				positions.merge(key.room(), position, Math::max);
			}
		});
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
