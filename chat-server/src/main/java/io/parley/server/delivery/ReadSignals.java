package io.parley.server.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.room.DirectBlocks;
import io.parley.store.room.ReadMarker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Signals to a room how far its members have read: the first marker at once, and the
 * following ones together, at most once a second. Large rooms get no signal.
 */
@Component
public class ReadSignals {

	private static final Logger log = LoggerFactory.getLogger(ReadSignals.class);

	private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

	/** Further rooms get no signal: signals may be lost. */
	private static final int MAX_ROOMS = 10_000;

	private final RoomSizes sizes;

	private final DirectBlocks blocks;

	private final RoomSignals signals;

	/** Rooms that got a signal less than a second ago. */
	private final Map<String, Gathered> rooms = new ConcurrentHashMap<>();

	ReadSignals(RoomSizes sizes, DirectBlocks blocks, RoomSignals signals) {
		this.sizes = sizes;
		this.blocks = blocks;
		this.signals = signals;
	}

	/** The markers since the last signal to a room. Used in {@link Map#compute} only. */
	private static final class Gathered {

		private final long signalledAt = System.nanoTime();

		/** The most recent marker is the last entry. */
		private final SequencedMap<String, Long> positions = new LinkedHashMap<>();

		void add(String user, long position) {
			if (this.positions.containsKey(user) || this.positions.size() < RoomSizes.MAX_MEMBERS) {
				long furthest = Math.max(position, this.positions.getOrDefault(user, 0L));
				this.positions.putLast(user, furthest);
			}
		}

		boolean isOver() {
			return System.nanoTime() - this.signalledAt >= PAUSE_NANOS;
		}

	}

	/** Signals markers that have moved, in their order. */
	public void read(Collection<ReadMarker> moved) {
		try {
			this.sizes.load(moved.stream().map(ReadMarker::room).toList());
		}
		catch (RuntimeException ex) {
			log.debug("Failed to look up the sizes of rooms; what is known may be enough", ex);
		}
		moved.forEach((marker) -> read(marker.room(), marker.username(), marker.position()));
	}

	private void read(String room, String user, long position) {
		if (!getsSignals(room)) {
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

	private boolean getsSignals(String room) {
		try {
			return (this.rooms.containsKey(room) || this.rooms.size() < MAX_ROOMS) && this.sizes.isSmall(room)
					&& this.blocks.isOpen(room);
		}
		catch (RuntimeException ex) {
			log.debug("Failed to signal a read marker to room {}", room, ex);
			return false;
		}
	}

	@Scheduled(fixedDelay = 100)
	void signalGathered() {
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
				signal(room, positions);
			}
		}
	}

	private void signal(String room, SequencedMap<String, Long> positions) {
		try {
			this.signals.read(room, positions);
		}
		catch (RuntimeException ex) {
			log.debug("Failed to signal to room {}; {} read markers are dropped", room, positions.size(), ex);
		}
	}

}
