package io.parley.persistence;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.parley.events.Reaction;
import io.parley.store.event.RoomPosition;

/**
 * The users who have given the reactions that a batch changes. Writes only the final
 * result of the batch.
 */
class ReactionSets {

	private final EventTables tables;

	private final Map<RoomPosition, Set<Reaction>> stored;

	private final Map<RoomPosition, Set<Reaction>> given = new HashMap<>();

	ReactionSets(EventTables tables, Collection<NumberedRecord> changes) {
		this.tables = tables;
		Map<RoomPosition, Set<Reaction>> changed = new HashMap<>();
		for (NumberedRecord record : changes) {
			for (Reaction.Change change : record.event().reactionChanges()) {
				changed.computeIfAbsent(BatchChanges.target(record), (message) -> new HashSet<>())
					.add(change.reaction());
			}
		}
		this.stored = changed.isEmpty() ? Map.of() : tables.reactions(changed);
	}

	/** Returns the reactions to a message, which the caller updates. */
	Set<Reaction> of(RoomPosition message) {
		return this.given.computeIfAbsent(message, (key) -> new HashSet<>(this.stored.getOrDefault(key, Set.of())));
	}

	/**
	 * Saves the updated reactions.
	 * @param deleted messages that were deleted, whose reactions are removed anyway
	 */
	void save(Set<RoomPosition> deleted) {
		this.given.forEach((message, now) -> {
			if (!deleted.contains(message)) {
				Set<Reaction> before = this.stored.getOrDefault(message, Set.of());
				this.tables.removeReactions(message, without(before, now));
				this.tables.addReactions(message, without(now, before));
			}
		});
	}

	private static Set<Reaction> without(Set<Reaction> all, Set<Reaction> others) {
		Set<Reaction> rest = new HashSet<>(all);
		rest.removeAll(others);
		return rest;
	}

}
