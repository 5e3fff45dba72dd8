package io.parley.server.timeline;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.events.EventRecord;
import io.parley.events.EventType;
import io.parley.events.Mentions;
import io.parley.events.Positions;
import io.parley.store.event.RoomPosition;
import io.parley.store.room.ReadMarker;
import org.jspecify.annotations.Nullable;

/**
 * The mentions of messages of one room in events that are not stored yet. For these
 * messages the store may be out of date. Messages in threads are left out.
 */
final class UnstoredMentions {

	static final UnstoredMentions NONE = new UnstoredMentions(List.of());

	private final Map<Long, Mentioning> messages = new HashMap<>();

	/**
	 * The mentions of a message.
	 *
	 * @param mentions null for nobody
	 */
	private record Mentioning(String sender, @Nullable Mentions mentions, boolean deleted) {

		boolean includes(String user) {
			return this.mentions != null && this.mentions.include(user) && !this.sender.equals(user);
		}

	}

	/** Applies events in the order of the log. */
	UnstoredMentions(List<PositionedEvent> events) {
		for (PositionedEvent event : events) {
			EventRecord record = event.record();
			if (record.thread() != Positions.NONE) {
				continue;
			}
			if (record.type().isMessage()) {
				this.messages.put(event.position(), new Mentioning(record.sender(), record.mentions(), false));
			}
			else if (record.changes() && !isDeleted(record.target())) {
				change(record);
			}
		}
	}

	private boolean isDeleted(long position) {
		Mentioning known = this.messages.get(position);
		return known != null && known.deleted();
	}

	private void change(EventRecord change) {
		if (change.type().equals(EventType.MESSAGE_DELETED)) {
			this.messages.put(change.target(), new Mentioning(change.sender(), null, true));
		}
		else if (change.type().equals(EventType.MESSAGE_EDITED)) {
			this.messages.put(change.target(), new Mentioning(change.sender(), change.mentions(), false));
		}
	}

	/**
	 * Returns the positions of the messages up to a position, which may be stored: the
	 * store does not decide about them.
	 */
	Set<Long> upTo(long position) {
		return this.messages.keySet().stream().filter((message) -> message <= position).collect(Collectors.toSet());
	}

	/** Returns those of {@link #upTo} that mention somebody now. */
	Set<Long> edited(long position) {
		return upTo(position).stream().filter((message) -> {
			Mentioning mentioning = this.messages.get(message);
			return mentioning != null && mentioning.mentions() != null;
		}).collect(Collectors.toSet());
	}

	/**
	 * Returns how many of the messages after a marker mention its user.
	 * @param deleted messages that do not count
	 */
	long countAfter(ReadMarker marker, Set<RoomPosition> deleted) {
		return this.messages.entrySet()
			.stream()
			.filter((entry) -> entry.getKey() > marker.position() && entry.getValue().includes(marker.username())
					&& !deleted.contains(new RoomPosition(marker.room(), entry.getKey())))
			.count();
	}

}
