package io.parley.persistence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
 * Whom the messages of a batch, and those that it edits, mention in the end. A message
 * that mentions nobody has no row.
 */
class MessageMentions {

	private final MentionTable table;

	private final Map<RoomPosition, Mentioning> posted = new HashMap<>();

	private final Map<RoomPosition, Mentioning> edited = new HashMap<>();

	private final Map<String, Long> last = new HashMap<>();

	MessageMentions(MentionTable table) {
		this.table = table;
	}

	/** A message, or the edit of one, and whom it mentions. */
	private record Mentioning(EventRecord event, @Nullable Mentions mentions) {

		Set<String> names() {
			Set<String> names = new LinkedHashSet<>();
			if (this.mentions != null && this.mentions.room()) {
				names.add(MentionRepository.ROOM);
			}
			else if (this.mentions != null) {
				names.addAll(this.mentions.users());
				names.remove(this.event.sender());
			}
			return names;
		}

		Row row(RoomPosition message, String name) {
			return new Row(message, name, this.event.thread(), this.event.sender(), this.event.sentAt());
		}

	}

	/** Adds a message. */
	void post(NumberedRecord message) {
		RoomPosition position = new RoomPosition(message.event().room(), message.position());
		add(this.posted, position, new Mentioning(message.event(), message.event().mentions()));
	}

	/** Adds an edit that has an effect. */
	void edit(NumberedRecord edit, @Nullable Mentions mentions) {
		add(this.edited, MessageChanges.target(edit), new Mentioning(edit.event(), mentions));
	}

	/** Adds a stored message that was edited before. */
	void settle(NumberedRecord message, @Nullable Mentions mentions) {
		RoomPosition position = new RoomPosition(message.event().room(), message.position());
		add(this.edited, position, new Mentioning(message.event(), mentions));
	}

	private void add(Map<RoomPosition, Mentioning> messages, RoomPosition message, Mentioning mentioning) {
		messages.put(message, mentioning);
		if (!mentioning.names().isEmpty()) {
			this.last.merge(message.room(), message.position(), Math::max);
		}
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
		List<Row> added = new ArrayList<>();
		this.posted.forEach((message, mentioning) -> {
			if (!deleted.contains(message) && !this.edited.containsKey(message)) {
				mentioning.names().forEach((name) -> added.add(mentioning.row(message, name)));
			}
		});
		this.edited.keySet().removeAll(deleted);
		Map<RoomPosition, Set<String>> removed = new HashMap<>();
		Map<RoomPosition, Set<String>> stored = this.table.names(this.edited.keySet());
		this.edited.forEach((message, mentioning) -> {
			Set<String> before = stored.getOrDefault(message, Set.of());
			Set<String> now = mentioning.names();
			now.stream()
				.filter((name) -> !before.contains(name))
				.forEach((name) -> added.add(first(message, name, mentioning).row(message, name)));
			Set<String> gone = new HashSet<>(before);
			gone.removeAll(now);
			removed.put(message, gone);
		});
		this.table.delete(removed);
		this.table.insert(added);
		this.table.deleteAll(deleted);
	}

	/** Returns the message itself if it was posted in this batch and has that name. */
	private Mentioning first(RoomPosition message, String name, Mentioning edit) {
		Mentioning post = this.posted.get(message);
		return (post != null && post.names().contains(name)) ? post : edit;
	}

}
