package io.parley.store.event;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;

import io.parley.events.EventRecord;
import io.parley.events.EventType;
import io.parley.store.UtcTime;

import org.springframework.jdbc.core.RowMapper;

/**
 * Maps a row of {@code room_event}. If the client gave the event no id, the column for
 * the client's id holds the event's own id, which keeps it unique.
 */
class StoredEventMapper implements RowMapper<StoredEvent> {

	static final String COLUMNS = "room_id, position, prev, number, type, event_id, sender, client_id, sent_at, body";

	@Override
	public StoredEvent mapRow(ResultSet row, int index) throws SQLException {
		String id = row.getString("event_id");
		String clientId = row.getString("client_id");
		EventRecord event = new EventRecord(EventType.ofWireName(row.getString("type")), row.getString("room_id"), id,
				row.getString("sender"), id.equals(clientId) ? null : clientId, UtcTime.read(row, "sent_at"),
				row.getString("body").getBytes(StandardCharsets.UTF_8));
		return new StoredEvent(row.getLong("position"), row.getLong("prev"), row.getLong("number"), event);
	}

}
