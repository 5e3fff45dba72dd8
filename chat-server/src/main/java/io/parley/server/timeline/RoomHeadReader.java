package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.events.MessagePosted;
import io.parley.events.MessageState;
import io.parley.server.database.Database;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomEventRepository.Newest;
import io.parley.store.event.RoomHead;
import io.parley.store.event.RoomPosition;
import io.parley.store.mention.MentionRepository;
import io.parley.store.mention.MentionRepository.Range;
import io.parley.store.room.ReadMarker;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * The newest events of rooms, stored or not. The number of queries does not depend on the
 * number of rooms, up to 200. Safe for use by many threads.
 */
@Component
public class RoomHeadReader {

	/**
	 * A message further back than this many events, not counting changes, is not found as
	 * the last one.
	 */
	private static final int NEWEST = 5;

	private final Tail tail;

	private final Backlog backlog;

	private final RoomEventRepository stored;

	private final MessageStateRepository states;

	private final MentionRepository mentions;

	private final Database database;

	RoomHeadReader(Tail tail, Backlog backlog, RoomEventRepository stored, MessageStateRepository states,
			MentionRepository mentions, Database database) {
		this.tail = tail;
		this.backlog = backlog;
		this.stored = stored;
		this.states = states;
		this.mentions = mentions;
		this.database = database;
	}

	/**
	 * Returns the position of the newest event of a room. Needs one query if this server
	 * has neither read an event of the room nor been asked for it.
	 */
	public long position(String room) {
		Long newest = known(List.of(room)).get(room);
		return (newest != null) ? newest : load(List.of(room)).head(room).position();
	}

	/**
	 * Returns the positions of the newest events of rooms without a query. Rooms that
	 * need one are missing.
	 */
	public Map<String, Long> known(Collection<String> rooms) {
		this.tail.awaitConfirmed(rooms);
		Map<String, Long> known = new HashMap<>();
		for (String room : rooms) {
			Long newest = this.tail.newest(room);
			if (newest != null) {
				known.put(room, newest);
			}
		}
		return known;
	}

	/**
	 * Loads the newest positions of rooms for {@link #position}, with one query for all
	 * that are not known yet. Leaves out rooms for which the log must be scanned.
	 */
	public void remember(Collection<String> rooms) {
		List<String> unknown = rooms.stream()
			.filter((room) -> this.tail.newest(room) == null && this.tail.partition(room).knowsAllUnstored())
			.toList();
		if (!unknown.isEmpty()) {
			load(unknown);
		}
	}

	private Snapshot load(List<String> rooms) {
		Snapshot heads = of(rooms);
		rooms.forEach((room) -> this.tail.remember(room, heads.head(room).position()));
		return heads;
	}

	/** Returns the heads of rooms, with one query. */
	public Snapshot of(Collection<String> rooms) {
		Map<String, Long> storedOffsets = storedOffsets(rooms);
		Map<String, RoomHead> heads = this.database.query(() -> this.stored.heads(rooms));
		return snapshot(storedOffsets, heads, Map.of());
	}

	/** Returns the heads and the last messages of rooms, with one query. */
	public Snapshot withLastMessages(Collection<String> rooms) {
		Map<String, Long> storedOffsets = storedOffsets(rooms);
		Map<String, Newest> newest = this.database.query(() -> this.stored.newest(rooms, NEWEST));
		Map<String, RoomHead> heads = new HashMap<>();
		newest.forEach((room, events) -> heads.put(room, events.head()));
		return snapshot(storedOffsets, heads, newest);
	}

	/** Reads the offsets before the rows, which then hold everything below. */
	private Map<String, Long> storedOffsets(Collection<String> rooms) {
		Map<String, Long> offsets = new HashMap<>();
		rooms.forEach((room) -> offsets.put(room, this.backlog.storedOffset(room)));
		return offsets;
	}

	private Snapshot snapshot(Map<String, Long> storedOffsets, Map<String, RoomHead> heads,
			Map<String, Newest> newest) {
		this.tail.awaitConfirmed(storedOffsets.keySet());
		Map<String, UnstoredEvents> newer = new HashMap<>();
		storedOffsets.forEach((room, offset) -> {
			long position = heads.getOrDefault(room, RoomHead.NONE).position();
			newer.put(room,
					this.backlog.after(room, position, this.tail.partition(room).after(room, position), offset));
		});
		return new Snapshot(heads, newer, newest);
	}

	/** The heads of some rooms at one moment. */
	public final class Snapshot {

		private final Map<String, RoomHead> storedHeads;

		/** The events after the stored heads. */
		private final Map<String, UnstoredEvents> newer;

		/** The newest stored events. */
		private final Map<String, Newest> newest;

		private Snapshot(Map<String, RoomHead> storedHeads, Map<String, UnstoredEvents> newer,
				Map<String, Newest> newest) {
			this.storedHeads = storedHeads;
			this.newer = newer;
			this.newest = newest;
		}

		private RoomHead storedHead(String room) {
			return this.storedHeads.getOrDefault(room, RoomHead.NONE);
		}

		private UnstoredEvents newer(String room) {
			UnstoredEvents events = this.newer.get(room);
			if (events == null) {
				throw new IllegalArgumentException("Room " + room + " is not in this snapshot");
			}
			return events;
		}

		/** Returns the position and number of the newest event of a room. */
		public RoomHead head(String room) {
			RoomHead head = storedHead(room);
			UnstoredEvents events = newer(room);
			return (events.count() == 0) ? head
					: new RoomHead(events.lastPosition(), head.number() + events.messagesUpTo(Long.MAX_VALUE));
		}

		/**
		 * Returns the number of messages of rooms up to positions. Queries the positions
		 * below the stored heads, all at once.
		 */
		public Map<RoomPosition, Long> numbersAt(Collection<RoomPosition> positions) {
			Map<RoomPosition, Long> numbers = new HashMap<>();
			Collection<RoomPosition> queried = new HashSet<>();
			for (RoomPosition at : positions) {
				RoomHead head = storedHead(at.room());
				if (at.position() >= head.position()) {
					numbers.put(at, head.number() + newer(at.room()).messagesUpTo(at.position()));
				}
				else if (at.position() > 0) {
					queried.add(at);
				}
				else {
					numbers.put(at, 0L);
				}
			}
			if (!queried.isEmpty()) {
				numbers.putAll(RoomHeadReader.this.database.query(() -> RoomHeadReader.this.stored.numbersAt(queried)));
			}
			return numbers;
		}

		/**
		 * Returns the number of messages after each position, without deleted ones.
		 * Queries the positions below the stored heads, all at once.
		 */
		public Map<RoomPosition, Long> unreadAfter(Collection<RoomPosition> positions) {
			Map<RoomPosition, Long> unread = numbersAt(positions);
			Map<RoomPosition, Long> deleted = deletedAfter(positions);
			unread.replaceAll(
					(at, number) -> Math.max(0, head(at.room()).number() - number - deleted.getOrDefault(at, 0L)));
			return unread;
		}

		private Map<RoomPosition, Long> deletedAfter(Collection<RoomPosition> positions) {
			Map<RoomPosition, Long> queried = new HashMap<>();
			for (RoomPosition at : positions) {
				RoomHead head = storedHead(at.room());
				if (head.deletes() > 0 && at.position() < head.position()) {
					queried.put(at, head.position());
				}
			}
			Map<RoomPosition, Long> deleted = new HashMap<>();
			if (!queried.isEmpty()) {
				deleted
					.putAll(RoomHeadReader.this.database.query(() -> RoomHeadReader.this.states.deletedAfter(queried)));
			}
			positions.forEach((at) -> deleted.merge(at, newlyDeletedAfter(at), Long::sum));
			return deleted;
		}

		private long newlyDeletedAfter(RoomPosition at) {
			return newer(at.room()).changes()
				.stream()
				.filter((change) -> change.record().deletesMessage() && !change.record().deletesReply())
				.map((change) -> change.record().target())
				.filter((target) -> target > at.position())
				.distinct()
				.count();
		}

		/**
		 * Returns how many messages of the rooms after the markers mention their users.
		 * Queries only rooms with stored mentions after a marker, all at once.
		 */
		public Map<ReadMarker, Long> mentionsAfter(Collection<ReadMarker> markers) {
			Map<String, UnstoredMentions> unstored = new HashMap<>();
			markers.stream()
				.map(ReadMarker::room)
				.distinct()
				.forEach((room) -> unstored.put(room, new UnstoredMentions(newer(room).mentions())));
			Set<RoomPosition> deleted = deleted(unstored);
			Map<ReadMarker, Long> counts = new HashMap<>();
			List<Range> queried = new ArrayList<>();
			for (ReadMarker marker : markers) {
				RoomHead head = storedHead(marker.room());
				UnstoredMentions newer = unstored.getOrDefault(marker.room(), UnstoredMentions.NONE);
				counts.put(marker, newer.countAfter(marker, deleted));
				if (head.lastMention() > marker.position()) {
					queried.add(new Range(marker, head.position(), newer.upTo(head.position())));
				}
			}
			if (!queried.isEmpty()) {
				RoomHeadReader.this.database.query(() -> RoomHeadReader.this.mentions.count(queried))
					.forEach((marker, count) -> counts.merge(marker, count, Long::sum));
			}
			return counts;
		}

		/**
		 * Returns which of the stored messages that are edited by newer events are
		 * deleted.
		 */
		private Set<RoomPosition> deleted(Map<String, UnstoredMentions> unstored) {
			Set<RoomPosition> edited = new HashSet<>();
			unstored.forEach((room, mentions) -> mentions.edited(storedHead(room).position())
				.forEach((position) -> edited.add(new RoomPosition(room, position))));
			if (edited.isEmpty()) {
				return Set.of();
			}
			Map<RoomPosition, MessageState> states = RoomHeadReader.this.database
				.query(() -> RoomHeadReader.this.states.of(edited));
			edited.removeIf((message) -> !states.containsKey(message) || !states.get(message).deleted());
			return edited;
		}

		/**
		 * Returns the last message of a room as it reads now, or null if the newest
		 * events are others.
		 */
		public @Nullable MessagePosted lastMessage(String room) {
			List<PositionedEvent> events = new ArrayList<>(newer(room).newest(NEWEST));
			Newest stored = this.newest.get(room);
			if (stored != null) {
				events.addAll(PositionedEvent.of(stored.events()));
			}
			PartitionMessageStates states = new PartitionMessageStates(Map.of(), newer(room).changes());
			return events.stream()
				.limit(NEWEST)
				.filter((event) -> event.record().type().isRoomMessage())
				.map((event) -> states.current(event).event())
				.filter(MessagePosted.class::isInstance)
				.map(MessagePosted.class::cast)
				.findFirst()
				.orElse(null);
		}

	}

}
