package io.parley.server.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.parley.server.room.DirectBlocks;
import io.parley.server.room.ReadPositions;
import io.parley.store.room.ReadMarker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Signals to a room how far its members have read, and up to where messages have been
 * delivered to them: the first marker of each kind at once, and the following ones
 * together, at most once a second. Large rooms get no signal. A read marker is stored
 * before it is signalled, so that whoever has seen it finds it on every server.
 */
@Component
public class MarkerSignals {

	private static final Logger log = LoggerFactory.getLogger(MarkerSignals.class);

	private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

	/** Further rooms get no signal: signals may be lost. */
	private static final int MAX_ROOMS = 10_000;

	private final RoomSizes sizes;

	private final DirectBlocks blocks;

	private final RoomSignals signals;

	private final ReadPositions read;

	/** Rooms that got a signal less than a second ago. */
	private final Map<Topic, Gathered> topics = new ConcurrentHashMap<>();

	MarkerSignals(RoomSizes sizes, DirectBlocks blocks, RoomSignals signals, ReadPositions read) {
		this.sizes = sizes;
		this.blocks = blocks;
		this.signals = signals;
		this.read = read;
	}

	/** The meaning of a marker for the messages up to its position. */
	public enum Kind {

		READ, DELIVERED;

		String wireName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	private record Topic(Kind kind, String room) {
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
	public void moved(Kind kind, Collection<ReadMarker> moved) {
		try {
			this.sizes.load(moved.stream().map(ReadMarker::room).toList());
		}
		catch (RuntimeException ex) {
			log.debug("Failed to look up the sizes of rooms; what is known may be enough", ex);
		}
		Map<Topic, SequencedMap<String, Long>> first = new LinkedHashMap<>();
		moved.forEach((marker) -> {
			Topic topic = new Topic(kind, marker.room());
			if (getsSignals(topic) && isFirst(topic, marker)) {
				first.put(topic, new LinkedHashMap<>(Map.of(marker.username(), marker.position())));
			}
		});
		signal(first);
	}

	private boolean isFirst(Topic topic, ReadMarker marker) {
		AtomicBoolean first = new AtomicBoolean();
		this.topics.compute(topic, (key, gathered) -> {
			if (gathered != null) {
				gathered.add(marker.username(), marker.position());
				return gathered;
			}
			first.setPlain(true);
			return new Gathered();
		});
		return first.getPlain();
	}

	private boolean getsSignals(Topic topic) {
		try {
			return (this.topics.containsKey(topic) || this.topics.size() < MAX_ROOMS)
					&& this.sizes.isSmall(topic.room()) && this.blocks.isOpen(topic.room());
		}
		catch (RuntimeException ex) {
			log.debug("Failed to signal a marker to room {}", topic.room(), ex);
			return false;
		}
	}

	@Scheduled(fixedDelay = 100)
	void signalGathered() {
		Map<Topic, SequencedMap<String, Long>> due = new LinkedHashMap<>();
		for (Topic topic : this.topics.keySet()) {
			SequencedMap<String, Long> positions = new LinkedHashMap<>();
			this.topics.computeIfPresent(topic, (key, gathered) -> {
				if (!gathered.isOver()) {
					return gathered;
				}
				positions.putAll(gathered.positions);
				return positions.isEmpty() ? null : new Gathered();
			});
			if (!positions.isEmpty()) {
				due.put(topic, positions);
			}
		}
		signal(due);
	}

	private void signal(Map<Topic, SequencedMap<String, Long>> signals) {
		List<ReadMarker> read = new ArrayList<>();
		signals.forEach((topic, positions) -> {
			if (topic.kind() == Kind.READ) {
				positions.forEach((user, position) -> read.add(new ReadMarker(topic.room(), user, position)));
			}
		});
		this.read.writeNow(read);
		signals.forEach(this::signal);
	}

	private void signal(Topic topic, SequencedMap<String, Long> positions) {
		try {
			this.signals.moved(topic.kind(), topic.room(), positions);
		}
		catch (RuntimeException ex) {
			log.debug("Failed to signal to room {}; {} markers are dropped", topic.room(), positions.size(), ex);
		}
	}

}
