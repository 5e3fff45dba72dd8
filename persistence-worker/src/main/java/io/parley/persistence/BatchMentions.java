package io.parley.persistence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.events.EventRecord;
import io.parley.events.Mentions;
import io.parley.persistence.MentionTable.Row;
import io.parley.store.event.RoomPosition;
import io.parley.store.mention.MentionRepository;
import org.jspecify.annotations.Nullable;

/**
 * The final mentions of the messages that a batch contains or edits. A message that
 * mentions nobody has no row.
 */
class BatchMentions {

	private final MentionTable table;

	/**
	 * The names in the rows of each message, with the event that made it mention them.
	 */
	private final Map<RoomPosition, Map<String, EventRecord>> names = new HashMap<>();

	/** The messages that may have rows already. */
	private final Set<RoomPosition> old = new HashSet<>();

	private final Map<String, Long> last = new HashMap<>();

	BatchMentions(MentionTable table) {
		this.table = table;
	}

	/** Adds a new message. */
	void post(NumberedRecord message) {
		put(new RoomPosition(message.event().room(), message.position()), message.event(), message.event().mentions());
	}

	/** Adds an edit that has an effect. */
	void edit(NumberedRecord edit, @Nullable Mentions mentions) {
		change(BatchChanges.target(edit), edit.event(), mentions);
	}

	/** Adds a message that was edited before it was stored. */
	void settle(NumberedRecord message, @Nullable Mentions mentions) {
		change(new RoomPosition(message.event().room(), message.position()), message.event(), mentions);
	}

	private void change(RoomPosition message, EventRecord event, @Nullable Mentions mentions) {
		if (!this.names.containsKey(message)) {
			this.old.add(message);
		}
		put(message, event, mentions);
	}

	private void put(RoomPosition message, EventRecord event, @Nullable Mentions mentions) {
		Map<String, EventRecord> before = this.names.getOrDefault(message, Map.of());
		Map<String, EventRecord> now = new LinkedHashMap<>();
		names(mentions, event.sender()).forEach((name) -> now.put(name, before.getOrDefault(name, event)));
		this.names.put(message, now);
		if (!now.isEmpty()) {
			this.last.merge(message.room(), message.position(), Math::max);
		}
	}

	/** The whole room includes all users. Nobody is mentioned by themselves. */
	private static Set<String> names(@Nullable Mentions mentions, String sender) {
		if (mentions == null) {
			return Set.of();
		}
		if (mentions.room()) {
			return Set.of(MentionRepository.ROOM);
		}
		Set<String> names = new LinkedHashSet<>(mentions.users());
		names.remove(sender);
		return names;
	}

	/** Returns the position of the last message that mentions somebody, by room. */
	Map<String, Long> last() {
		return this.last;
	}

	/**
	 * Saves the mentions.
	 * @param deleted messages that were deleted, whose mentions are removed
	 */
	void save(Set<RoomPosition> deleted) {
		this.names.keySet().removeAll(deleted);
		this.old.removeAll(deleted);
		Map<RoomPosition, Set<String>> stored = this.table.names(this.old);
		List<Row> added = new ArrayList<>();
		this.names.forEach((message, now) -> now.forEach((name, event) -> {
			if (!stored.getOrDefault(message, Set.of()).contains(name)) {
				added.add(new Row(message, name, event.thread(), event.sender(), event.sentAt()));
			}
		}));
		stored.forEach((message, before) -> before.removeAll(this.names.getOrDefault(message, Map.of()).keySet()));
		this.table.delete(stored);
		this.table.insert(added);
		this.table.deleteAll(deleted);
	}

}
