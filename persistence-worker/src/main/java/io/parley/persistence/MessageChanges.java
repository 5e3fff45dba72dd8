package io.parley.persistence;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.parley.events.MessageState;
import io.parley.events.Positions;
import io.parley.store.event.RoomPosition;

/**
 * Folds the changes of messages into their stored states: one row for each message that a
 * batch changes, the reactions that users have given, and the replies of threads. Used
 * inside the transaction that stores the changes.
 */
class MessageChanges {

	private final EventTables tables;

	MessageChanges(EventTables tables) {
		this.tables = tables;
	}

	/**
	 * Applies the changes and replies among these events, in order. Empties the messages
	 * that they delete.
	 * @return the number of messages of the rooms themselves that were deleted, by room
	 */
	Map<String, Long> apply(Collection<NumberedRecord> events) {
		List<NumberedRecord> changes = events.stream().filter(MessageChanges::isRelevant).toList();
		if (changes.isEmpty()) {
			return Map.of();
		}
		Map<RoomPosition, MessageState> stored = this.tables
			.states(changes.stream().flatMap(MessageChanges::affected).collect(Collectors.toSet()));
		ReactionSets reactions = new ReactionSets(this.tables, changes);
		ThreadReplies replies = new ThreadReplies(this.tables.threads());
		Map<RoomPosition, MessageState> changed = new HashMap<>();
		Function<RoomPosition, MessageState> state = (message) -> changed.getOrDefault(message,
				stored.getOrDefault(message, MessageState.of(message.position())));
		Set<RoomPosition> deleted = new HashSet<>();
		for (NumberedRecord change : changes) {
			if (change.event().countsInThread()) {
				MessageState root = state.apply(root(change));
				replies.add(change, root.thread());
				changed.put(root(change), root.afterReply(change.position(), change.event()));
			}
			if (change.event().changes()) {
				RoomPosition target = target(change);
				MessageState before = state.apply(target);
				MessageState after = before.after(change.position(), change.event(), reactions.of(target));
				if (after != before) {
					changed.put(target, after);
				}
				if (after.deleted() && !before.deleted()) {
					deleted.add(target);
					if (change.event().deletesReply()) {
						changed.put(root(change), state.apply(root(change)).afterDeletedReply(change.position()));
					}
				}
			}
		}
		this.tables.saveStates(changed, stored.keySet());
		reactions.save(deleted);
		replies.save();
		this.tables.empty(deleted);
		return deleted.stream()
			.filter((message) -> state.apply(message).root() == Positions.NONE)
			.collect(Collectors.groupingBy(RoomPosition::room, Collectors.counting()));
	}

	private static boolean isRelevant(NumberedRecord record) {
		return record.event().changes() || record.event().countsInThread();
	}

	/** Returns the messages whose states an event may change. */
	private static Stream<RoomPosition> affected(NumberedRecord record) {
		Stream<RoomPosition> target = record.event().changes() ? Stream.of(target(record)) : Stream.empty();
		return (record.event().countsInThread() || record.event().deletesReply())
				? Stream.concat(target, Stream.of(root(record))) : target;
	}

	/** Empties a message that was stored after the event that deleted it. */
	void emptyIfDeleted(RoomPosition message) {
		MessageState state = this.tables.states(Set.of(message)).get(message);
		if (state != null && state.deleted()) {
			this.tables.empty(Set.of(message));
		}
	}

	/** Returns the root of the thread of an event. */
	static RoomPosition root(NumberedRecord record) {
		return new RoomPosition(record.event().room(), record.event().thread());
	}

	static RoomPosition target(NumberedRecord change) {
		return new RoomPosition(change.event().room(), change.event().target());
	}

}
