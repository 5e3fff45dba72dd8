package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.events.EventRecord;
import io.parley.events.Mentions;
import io.parley.server.database.Database;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomPosition;
import io.parley.store.mention.MentionRepository;
import io.parley.store.mention.UserMention;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Pages of the messages and replies that mention a user, over all rooms, stored or not.
 * The number of queries does not depend on the number of rooms, up to 200. Safe for use
 * by many threads.
 */
@Component
public class MentionPages {

	private final Tail tail;

	private final Backlog backlog;

	private final PositionConverter positions;

	private final MentionRepository stored;

	private final RoomEventRepository events;

	private final Database database;

	MentionPages(Tail tail, Backlog backlog, PositionConverter positions, MentionRepository stored,
			RoomEventRepository events, Database database) {
		this.tail = tail;
		this.backlog = backlog;
		this.positions = positions;
		this.stored = stored;
		this.events = events;
		this.database = database;
	}

	/**
	 * A page of mentions.
	 *
	 * @param messages in their current state, without reactions, the newest mention first
	 * @param last the last mention, after which the next page begins; null if there is no
	 * next page
	 */
	public record Page(List<PositionedEvent> messages, @Nullable UserMention last) {
	}

	/**
	 * Returns the newest mentions of a user.
	 * @param rooms the rooms of the user
	 * @param before the last mention of the previous page; null for the first page
	 * @param limit the maximum number of messages
	 */
	public Page of(String user, Collection<String> rooms, @Nullable UserMention before, int limit) {
		Unstored unstored = unstored(rooms);
		// Some of those that are stored may not mention the user any more.
		int enough = limit + 1 + unstored.changed.size();
		Map<RoomPosition, UserMention> found = new HashMap<>(unstored.mentions(user));
		this.database.query(() -> this.stored.newest(user, rooms, before, enough))
			.forEach((mention) -> found.put(mention.message(), mention));
		List<UserMention> sorted = found.values()
			.stream()
			.filter((mention) -> before == null || UserMention.NEWEST_FIRST.compare(mention, before) > 0)
			.sorted(UserMention.NEWEST_FIRST)
			.limit(enough)
			.toList();
		Map<RoomPosition, PositionedEvent> messages = messages(sorted, unstored);
		List<PositionedEvent> page = new ArrayList<>();
		UserMention last = null;
		for (UserMention mention : sorted) {
			PositionedEvent message = messages.get(mention.message());
			if (message != null && includes(unstored.current(message).record(), user)) {
				if (page.size() == limit) {
					return new Page(page, last);
				}
				page.add(unstored.current(message));
				last = mention;
			}
		}
		return new Page(page, null);
	}

	/** Reads the stored offsets before the rows, which then hold everything below. */
	private Unstored unstored(Collection<String> rooms) {
		this.tail.awaitConfirmed(rooms);
		List<PositionedEvent> events = new ArrayList<>();
		for (String room : rooms) {
			long storedOffset = this.backlog.storedOffset(room);
			long after = this.positions.position(storedOffset) - 1;
			events.addAll(this.backlog.after(room, after, this.tail.partition(room).after(room, after), storedOffset)
				.mentions());
		}
		return new Unstored(events);
	}

	private Map<RoomPosition, PositionedEvent> messages(List<UserMention> mentions, Unstored unstored) {
		Map<RoomPosition, PositionedEvent> messages = new HashMap<>(unstored.messages);
		List<RoomPosition> wanted = mentions.stream()
			.map(UserMention::message)
			.filter((message) -> !messages.containsKey(message))
			.toList();
		PositionedEvent.of(this.database.query(() -> this.events.messages(wanted)))
			.forEach((message) -> messages.put(place(message), message));
		return messages;
	}

	private static RoomPosition place(PositionedEvent event) {
		return new RoomPosition(event.room(), event.position());
	}

	private static boolean includes(EventRecord message, String user) {
		Mentions mentions = message.mentions();
		return mentions != null && mentions.include(user) && !message.sender().equals(user);
	}

	/** The events that may not be stored. */
	private static final class Unstored {

		private final Map<RoomPosition, PositionedEvent> messages = new HashMap<>();

		private final List<PositionedEvent> edits = new ArrayList<>();

		/** The messages that are edited or deleted. */
		private final Set<RoomPosition> changed = new HashSet<>();

		private final Map<String, PartitionMessageStates> states = new HashMap<>();

		Unstored(List<PositionedEvent> events) {
			Map<String, List<PositionedEvent>> changes = new HashMap<>();
			for (PositionedEvent event : events) {
				EventRecord record = event.record();
				if (record.type().isMessage() && record.mayMention()) {
					this.messages.put(place(event), event);
				}
				else if (record.type().changesContent()) {
					this.changed.add(new RoomPosition(event.room(), record.target()));
					changes.computeIfAbsent(event.room(), (room) -> new ArrayList<>()).add(event);
					this.edits.add(event);
				}
			}
			changes.forEach((room, ofRoom) -> this.states.put(room, new PartitionMessageStates(Map.of(), ofRoom)));
		}

		/**
		 * Returns the mentions of a user by messages, and by edits that mention them
		 * first.
		 */
		Map<RoomPosition, UserMention> mentions(String user) {
			Map<RoomPosition, UserMention> mentions = new HashMap<>();
			this.edits.forEach((edit) -> {
				Mentions before = edit.record().mentionedBefore();
				if (before != null && !before.include(user) && includes(edit.record(), user)) {
					RoomPosition target = new RoomPosition(edit.room(), edit.record().target());
					mentions.put(target, new UserMention(target, edit.record().sentAt()));
				}
			});
			this.messages.forEach((place, message) -> {
				if (includes(message.record(), user)) {
					mentions.put(place, new UserMention(place, message.record().sentAt()));
				}
			});
			return mentions;
		}

		/** Returns a message as it reads now. */
		PositionedEvent current(PositionedEvent message) {
			PartitionMessageStates states = this.states.get(message.room());
			return (states != null) ? message.with(states.current(message)) : message;
		}

	}

}
