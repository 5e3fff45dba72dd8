package io.parley.events;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message was posted.
 *
 * @param clientId the sender's own id of the message; a retry with the same id is the
 * same message
 * @param text empty if the message is deleted
 * @param extra the client's own fields in their order: names and JSON values. The values
 * are written unchanged and must be valid JSON; no name may be one of
 * {@link EventRecord#RESERVED_FIELDS}
 * @param deleted whether this is what is left of a deleted message
 */
public record MessagePosted(String room, String id, String sender, String clientId, Instant sentAt, String text,
		Map<String, String> extra, boolean deleted) implements RoomEvent {

	public MessagePosted {
		extra = Collections.unmodifiableMap(new LinkedHashMap<>(extra));
	}

	/** Creates a message that is not deleted. */
	public MessagePosted(String room, String id, String sender, String clientId, Instant sentAt, String text,
			Map<String, String> extra) {
		this(room, id, sender, clientId, sentAt, text, extra, false);
	}

	@Override
	public EventType type() {
		return EventType.MESSAGE_POSTED;
	}

	MessagePosted withText(String newText) {
		return new MessagePosted(this.room, this.id, this.sender, this.clientId, this.sentAt, newText, this.extra);
	}

}
