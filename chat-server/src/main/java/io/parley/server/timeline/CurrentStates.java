package io.parley.server.timeline;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.parley.events.EventRecord;
import io.parley.events.MessageState;
import io.parley.events.Reaction;
import io.parley.server.database.Database;
import io.parley.store.event.MessageStateRepository;

import org.springframework.stereotype.Component;

/**
 * The states of messages after all their changes, stored or not. Safe for use by many
 * threads.
 */
@Component
class CurrentStates {

	private final Tail tail;

	private final Backlog backlog;

	private final MessageStateRepository stored;

	private final MessageReactions reactions;

	private final Database database;

	CurrentStates(Tail tail, Backlog backlog, MessageStateRepository stored, MessageReactions reactions,
			Database database) {
		this.tail = tail;
		this.backlog = backlog;
		this.stored = stored;
		this.reactions = reactions;
		this.database = database;
	}

	/**
	 * Returns the states of the messages from one position to another. Messages without
	 * changes are missing.
	 */
	PartitionMessageStates between(String room, long first, long last) {
		return states(room, first, () -> this.stored.between(room, first, last),
				(position) -> first <= position && position <= last);
	}

	/** Returns the states of these messages. Messages without changes are missing. */
	PartitionMessageStates of(String room, SortedSet<Long> positions) {
		return states(room, positions.getFirst(), () -> this.stored.of(room, positions), positions::contains);
	}

	/**
	 * Returns the states of some messages.
	 * @param first the position of the first one
	 * @param query returns their stored states
	 * @param isShown whether a message is one of them
	 */
	private PartitionMessageStates states(String room, long first, Supplier<Map<Long, MessageState>> query,
			LongPredicate isShown) {
		TailPartition.Slice slice = this.tail.after(room, first - 1);
		if (this.backlog.isInMemory(slice, room, first - 1)) {
			return new PartitionMessageStates(Map.of(), Map.of(), slice.events());
		}
		long storedOffset = this.backlog.storedOffset(room);
		List<PositionedEvent> changes = this.backlog.after(room, first - 1, slice, storedOffset).changes();
		Map<Long, Set<Reaction>> given = this.reactions.given(room, PartitionMessageStates.reactions(changes));
		Map<Long, MessageState> before = new HashMap<>(deletedReplies(room, changes, isShown));
		before.putAll(this.database.query(query));
		return new PartitionMessageStates(before, given, changes);
	}

	/**
	 * Returns the stored states of replies that changes delete: a deletion changes the
	 * root only if it is the first one of the reply. Read before the states of the roots.
	 */
	private Map<Long, MessageState> deletedReplies(String room, List<PositionedEvent> changes, LongPredicate isShown) {
		Set<Long> replies = changes.stream()
			.map(PositionedEvent::record)
			.filter((change) -> change.deletesReply() && isShown.test(change.thread()))
			.map(EventRecord::target)
			.collect(Collectors.toSet());
		return replies.isEmpty() ? Map.of() : this.database.query(() -> this.stored.of(room, replies));
	}

	/**
	 * Returns the states of messages whose last change is above a position, by position,
	 * ordered by that change. Empty only if there are no more. The deletion of a reply is
	 * the last change of two messages, which are returned together.
	 * @param limit the maximum number of messages; one more if these two are the last
	 */
	SequencedMap<Long, MessageState> changedAfter(String room, long position, int limit) {
		TailPartition.Slice slice = this.tail.after(room, 0);
		long storedOffset = this.backlog.storedOffset(room);
		// Those up to the position, too: a state is the result of all changes.
		List<PositionedEvent> changes = this.backlog.after(room, 0, slice, storedOffset).changes();
		Map<Long, Set<Reaction>> given = this.reactions.given(room, PartitionMessageStates.reactions(changes));
		long after = position;
		SequencedMap<Long, MessageState> changed = new LinkedHashMap<>();
		boolean more = true;
		while (changed.isEmpty() && more) {
			long from = after;
			Map<Long, MessageState> page = this.database.query(() -> this.stored.changedAfter(room, from, limit + 2));
			Map<Long, MessageState> newest = new HashMap<>(page);
			newest.putAll(new PartitionMessageStates(
					this.database.query(() -> this.stored.of(room, PartitionMessageStates.targetsAndRoots(changes))),
					given, changes)
				.all());
			more = page.size() == limit + 2;
			// The page may lack the other message of its last change.
			after = more ? page.values().stream().mapToLong(MessageState::changed).max().orElseThrow() - 1
					: Long.MAX_VALUE;
			addFirst(changed, newest, from, after, limit);
		}
		return changed;
	}

	/**
	 * Returns the states of the pinned messages of a room, by position, those that were
	 * pinned last first.
	 */
	SequencedMap<Long, MessageState> pinned(String room) {
		TailPartition.Slice slice = this.tail.after(room, 0);
		long storedOffset = this.backlog.storedOffset(room);
		List<PositionedEvent> changes = this.backlog.after(room, 0, slice, storedOffset).changes();
		Map<Long, Set<Reaction>> given = this.reactions.given(room, PartitionMessageStates.reactions(changes));
		Map<Long, MessageState> states = new HashMap<>(this.database.query(() -> this.stored.pinned(room)));
		if (!changes.isEmpty()) {
			states.putAll(
					this.database.query(() -> this.stored.of(room, PartitionMessageStates.targetsAndRoots(changes))));
		}
		SequencedMap<Long, MessageState> pinned = new LinkedHashMap<>();
		new PartitionMessageStates(states, given, changes).all()
			.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().pin().on())
			.sorted(Comparator.comparing((entry) -> -entry.getValue().pin().changed()))
			.forEach((entry) -> pinned.put(entry.getKey(), entry.getValue()));
		return pinned;
	}

	private static void addFirst(SequencedMap<Long, MessageState> changed, Map<Long, MessageState> states, long from,
			long to, int limit) {
		List<Map.Entry<Long, MessageState>> sorted = states.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().changed() > from && entry.getValue().changed() <= to)
			.sorted(Map.Entry.comparingByValue(Comparator.comparingLong(MessageState::changed)))
			.toList();
		for (Map.Entry<Long, MessageState> entry : sorted) {
			if (changed.size() >= limit && entry.getValue().changed() != changed.lastEntry().getValue().changed()) {
				return;
			}
			changed.put(entry.getKey(), entry.getValue());
		}
	}

}
