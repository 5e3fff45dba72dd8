package io.parley.events;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The author of a message replaced its text and its mentions. Stored in record format 2
 * only.
 *
 * @param target the position of the message
 * @param text the whole new text
 * @param thread the root of the thread of the message, or 0
 * @param mentions whom the message mentions now; null if the author does not say
 * @param mentionedBefore whom the message mentioned before, for servers only; null if the
 * edit does not change that
 */
public record MessageEdited(String room, String id, String sender, String clientId, Instant sentAt, long target,
		String text, long thread, @Nullable Mentions mentions,
		@Nullable Mentions mentionedBefore) implements RoomEvent {

	/** Creates an edit that does not change whom the message mentions. */
	public MessageEdited(String room, String id, String sender, String clientId, Instant sentAt, long target,
			String text, long thread) {
		this(room, id, sender, clientId, sentAt, target, text, thread, null, null);
	}

	/** Creates an edit of a message of the room. */
	public MessageEdited(String room, String id, String sender, String clientId, Instant sentAt, long target,
			String text) {
		this(room, id, sender, clientId, sentAt, target, text, Positions.NONE);
	}

	@Override
	public EventType type() {
		return EventType.MESSAGE_EDITED;
	}

}
