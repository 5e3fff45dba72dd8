package io.parley.events;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message was posted.
 *
 * @param clientId the sender's own id of the message: a retry with the same one is the
 * same message
 * @param extra the client's own fields in their order: name and JSON, which is written as
 * it is and must be valid; no name in it may be one of
 * {@link EventRecord#RESERVED_FIELDS}
 */
public record MessagePosted(String room, String id, String sender, String clientId, Instant sentAt, String text,
		Map<String, String> extra) implements RoomEvent {

	public MessagePosted {
		extra = Collections.unmodifiableMap(new LinkedHashMap<>(extra));
	}

	@Override
	public EventType type() {
		return EventType.MESSAGE_POSTED;
	}

}
