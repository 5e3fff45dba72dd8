package io.parley.server.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Tells a room how far its members have read: the first marker at once, those that follow
 * together, at most once a second. Large rooms are not told.
 */
@Component
public class ReadSignals {

	private static final Logger log = LoggerFactory.getLogger(ReadSignals.class);

	private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

	/** Rooms beyond it are not told: signals may be lost. */
	private static final int MAX_ROOMS = 10_000;

	private final RoomSizes sizes;

	private final RoomSignals signals;

	/** Rooms that were told less than a second ago. */
	private final Map<String, Gathered> rooms = new ConcurrentHashMap<>();

	ReadSignals(RoomSizes sizes, RoomSignals signals) {
		this.sizes = sizes;
		this.signals = signals;
	}

	/** What came since the room was told. Used in {@link Map#compute} only. */
	private static final class Gathered {

		private final long toldAt = System.nanoTime();

		/** The last one that came is the last. */
		private final SequencedMap<String, Long> positions = new LinkedHashMap<>();

		void add(String user, long position) {
			if (this.positions.containsKey(user) || this.positions.size() < RoomSizes.MAX_MEMBERS) {
				long furthest = Math.max(position, this.positions.getOrDefault(user, 0L));
				this.positions.putLast(user, furthest);
			}
		}

		boolean isOver() {
			return System.nanoTime() - this.toldAt >= PAUSE_NANOS;
		}

	}

	/** The user has read everything up to that position. */
	public void read(String room, String user, long position) {
		if (!isTold(room)) {
			return;
		}
		List<String> first = new ArrayList<>(1);
		this.rooms.compute(room, (key, gathered) -> {
			if (gathered != null) {
				gathered.add(user, position);
				return gathered;
			}
			first.add(user);
			return new Gathered();
		});
		if (!first.isEmpty()) {
			this.signals.read(room, new LinkedHashMap<>(Map.of(user, position)));
		}
	}

	private boolean isTold(String room) {
		try {
			return (this.rooms.containsKey(room) || this.rooms.size() < MAX_ROOMS) && this.sizes.isSmall(room);
		}
		catch (RuntimeException ex) {
			log.debug("Room {} is not told of a read marker", room, ex);
			return false;
		}
	}

	@Scheduled(fixedDelay = 100)
	void tell() {
		for (String room : this.rooms.keySet()) {
			SequencedMap<String, Long> positions = new LinkedHashMap<>();
			this.rooms.computeIfPresent(room, (key, gathered) -> {
				if (!gathered.isOver()) {
					return gathered;
				}
				positions.putAll(gathered.positions);
				return positions.isEmpty() ? null : new Gathered();
			});
			if (!positions.isEmpty()) {
				tell(room, positions);
			}
		}
	}

	private void tell(String room, SequencedMap<String, Long> positions) {
		try {
			this.signals.read(room, positions);
		}
		catch (RuntimeException ex) {
			log.debug("Room {} is not told of {} read markers", room, positions.size(), ex);
		}
	}

}
