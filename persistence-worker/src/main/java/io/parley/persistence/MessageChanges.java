package io.parley.persistence;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.events.MessageState;
import io.parley.store.event.RoomPosition;

/**
 * Folds the changes of messages into their stored states: one row for each message that a
 * batch changes, and the reactions that users have given. Used inside the transaction
 * that stores the changes.
 */
class MessageChanges {

	private final EventTables tables;

	MessageChanges(EventTables tables) {
		this.tables = tables;
	}

	/**
	 * Applies the changes among these events, in order. Empties the messages that they
	 * delete.
	 * @return the number of messages that were deleted, by room
	 */
	Map<String, Long> apply(Collection<NumberedRecord> events) {
		List<NumberedRecord> changes = events.stream().filter((change) -> change.event().changes()).toList();
		if (changes.isEmpty()) {
			return Map.of();
		}
		Map<RoomPosition, MessageState> stored = this.tables
			.states(changes.stream().map(MessageChanges::target).collect(Collectors.toSet()));
		ReactionSets reactions = new ReactionSets(this.tables, changes);
		Map<RoomPosition, MessageState> changed = new HashMap<>();
		Set<RoomPosition> deleted = new HashSet<>();
		for (NumberedRecord change : changes) {
			RoomPosition target = target(change);
			MessageState before = changed.getOrDefault(target,
					stored.getOrDefault(target, MessageState.of(target.position())));
			MessageState after = before.after(change.position(), change.event(), reactions.of(target));
			if (after != before) {
				changed.put(target, after);
			}
			if (after.deleted() && !before.deleted()) {
				deleted.add(target);
			}
		}
		this.tables.saveStates(changed, stored.keySet());
		reactions.save(deleted);
		this.tables.empty(deleted);
		return deleted.stream().collect(Collectors.groupingBy(RoomPosition::room, Collectors.counting()));
	}

	/** Empties a message that was stored after the event that deleted it. */
	void emptyIfDeleted(RoomPosition message) {
		MessageState state = this.tables.states(Set.of(message)).get(message);
		if (state != null && state.deleted()) {
			this.tables.empty(Set.of(message));
		}
	}

	static RoomPosition target(NumberedRecord change) {
		return new RoomPosition(change.event().room(), change.event().target());
	}

}
