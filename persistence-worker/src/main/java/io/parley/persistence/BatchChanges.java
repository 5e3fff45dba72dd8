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
import io.parley.store.event.RoomHead;
import io.parley.store.event.RoomPosition;

/**
 * Folds the changes of messages into their stored states: one row for each message that a
 * batch changes, the reactions that users have given, the replies of threads, and who is
 * mentioned. Used inside the transaction that stores the changes.
 */
class BatchChanges {

	private final EventTables tables;

	BatchChanges(EventTables tables) {
		this.tables = tables;
	}

	/**
	 * The effect of the changes on the heads of rooms.
	 *
	 * @param deletes the number of messages of the rooms themselves that were deleted
	 * @param lastMentions the positions of the last messages that mention somebody
	 */
	record Result(Map<String, Long> deletes, Map<String, Long> lastMentions) {

		static final Result NONE = new Result(Map.of(), Map.of());

		RoomHead addTo(String room, RoomHead head) {
			return new RoomHead(head.position(), head.number(), head.deletes() + this.deletes.getOrDefault(room, 0L),
					Math.max(head.lastMention(), this.lastMentions.getOrDefault(room, Positions.NONE)));
		}

	}

	/**
	 * Applies the changes, the replies and the mentions among these events, in order.
	 * Empties the messages that they delete.
	 */
	Result apply(Collection<NumberedRecord> events) {
		List<NumberedRecord> changes = events.stream().filter(BatchChanges::isRelevant).toList();
		if (changes.isEmpty()) {
			return Result.NONE;
		}
		Map<RoomPosition, MessageState> stored = this.tables
			.states(changes.stream().flatMap(BatchChanges::affected).collect(Collectors.toSet()));
		ReactionSets reactions = new ReactionSets(this.tables, changes);
		BatchReplies replies = new BatchReplies(this.tables.threads());
		BatchMentions mentions = new BatchMentions(this.tables.mentions());
		Map<RoomPosition, MessageState> changed = new HashMap<>();
		Function<RoomPosition, MessageState> state = (message) -> changed.getOrDefault(message,
				stored.getOrDefault(message, MessageState.of(message.position())));
		Set<RoomPosition> deleted = new HashSet<>();
		for (NumberedRecord change : changes) {
			if (change.event().type().isMessage()) {
				mentions.post(change);
			}
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
				if (after.edits() > before.edits()) {
					mentions.edit(change, after.mentions());
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
		mentions.save(deleted);
		this.tables.empty(deleted);
		return new Result(deleted.stream()
			.filter((message) -> state.apply(message).root() == Positions.NONE)
			.collect(Collectors.groupingBy(RoomPosition::room, Collectors.counting())), mentions.last());
	}

	private static boolean isRelevant(NumberedRecord record) {
		return record.event().changes() || record.event().countsInThread() || record.event().mentions() != null;
	}

	/** Returns the messages whose states an event may change. */
	private static Stream<RoomPosition> affected(NumberedRecord record) {
		Stream<RoomPosition> target = record.event().changes() ? Stream.of(target(record)) : Stream.empty();
		return (record.event().countsInThread() || record.event().deletesReply())
				? Stream.concat(target, Stream.of(root(record))) : target;
	}

	/** Applies the edits and the deletion that were stored before their message. */
	void settle(NumberedRecord message) {
		RoomPosition position = new RoomPosition(message.event().room(), message.position());
		MessageState state = this.tables.states(Set.of(position)).get(position);
		if (state == null) {
			return;
		}
		if (state.deleted()) {
			this.tables.empty(Set.of(position));
			this.tables.mentions().deleteAll(Set.of(position));
		}
		else if (state.edits() > 0) {
			BatchMentions mentions = new BatchMentions(this.tables.mentions());
			mentions.settle(message, state.mentions());
			mentions.save(Set.of());
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
