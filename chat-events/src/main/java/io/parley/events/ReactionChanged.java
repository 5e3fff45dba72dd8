package io.parley.events;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Users reacted to a message, or took reactions back. Stored in record format 2 only.
 *
 * @param sender the user of the first change
 * @param target the position of the message
 * @param counts how many users have given each reaction, as far as the appending server
 * knew; those that nobody gives are missing
 * @param changes all that changed; empty if only the counts are corrected. Clients get
 * the first {@link #MAX_DELIVERED}
 * @param thread the root of the thread of the message, or 0
 */
public record ReactionChanged(String room, String id, String sender, Instant sentAt, long target,
		Map<String, Integer> counts, List<Reaction.Change> changes, long thread) implements RoomEvent {

	/** The number of changes that are delivered. */
	public static final int MAX_DELIVERED = 10;

	public ReactionChanged {
		counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
		changes = List.copyOf(changes);
	}

	/** Creates a change of reactions to a message of the room. */
	public ReactionChanged(String room, String id, String sender, Instant sentAt, long target,
			Map<String, Integer> counts, List<Reaction.Change> changes) {
		this(room, id, sender, sentAt, target, counts, changes, Positions.NONE);
	}

	@Override
	public EventType type() {
		return EventType.REACTION_CHANGED;
	}

}
