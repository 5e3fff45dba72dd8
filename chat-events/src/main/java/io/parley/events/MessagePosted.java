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
 * @param extra the client's own fields in their order: names and JSON values. The values
 * are written unchanged and must be valid JSON; no name may be one of
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
