package io.parley.store.event;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

import io.parley.events.EventRecord;
import io.parley.events.EventType;
import io.parley.events.Mentions;
import io.parley.events.MessageState;
import io.parley.events.PinState;
import io.parley.events.Positions;
import io.parley.events.ThreadState;
import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapper;

/**
 * Maps a row of {@code room_event} and the state of the message that it is, or that it
 * changes. If the client gave the event no id, the column for the client's id holds the
 * event's own id, which keeps it unique. The row of a deleted message has no body. That
 * of an edit has no text, which is in the state as long as it is the last edit.
 */
class StoredEventMapper implements RowMapper<StoredEvent> {

	static final String COLUMNS = """
			e.room_id, e.position, e.prev, e.number, e.type, e.event_id, e.sender, e.client_id, e.sent_at, e.target,
			e.thread, e.body, s.changed, s.text, s.mentions, s.deleted, s.edited, s.reacted,
			s.pin, s.pinned""";

	/** Messages have the text with which they were posted. */
	static final String FEED = " FROM room_event e LEFT JOIN message_state s"
			+ " ON s.room_id = e.room_id AND s.target = e.target";

	/** Messages have their current text. Changes must be excluded. */
	static final String MESSAGES = " FROM room_event e LEFT JOIN message_state s"
			+ " ON s.room_id = e.room_id AND s.target = e.position";

	@Override
	public StoredEvent mapRow(ResultSet row, int index) throws SQLException {
		String id = row.getString("event_id");
		String clientId = row.getString("client_id");
		EventType type = EventType.ofWireName(row.getString("type"));
		EventRecord event = new EventRecord(type, type.flags(), row.getString("room_id"), id, row.getString("sender"),
				id.equals(clientId) ? null : clientId, UtcTime.read(row, "sent_at"), row.getLong("target"),
				row.getLong("thread"), row.getString("body").getBytes(StandardCharsets.UTF_8));
		return new StoredEvent(row.getLong("position"), row.getLong("prev"), row.getLong("number"),
				current(event, row));
	}

	private static EventRecord current(EventRecord event, ResultSet row) throws SQLException {
		if (event.type().isMessage() && event.tail().length == 0) {
			return event.deleted();
		}
		String text = row.getString("text");
		if (event.type().isMessage() && text != null) {
			return event.withContent(text, mentions(row));
		}
		if (!event.type().changesMessage()) {
			return event;
		}
		EventRecord change = state(row, text).applyTo(event, row.getLong("position"));
		return (change.changes() && change.type().equals(EventType.MESSAGE_EDITED) && text != null)
				? change.withContent(text, mentions(row)) : change;
	}

	private static @Nullable Mentions mentions(ResultSet row) throws SQLException {
		String mentions = row.getString("mentions");
		return (mentions != null) ? Mentions.parse(mentions) : null;
	}

	/** Returns what decides whether a change is shown. */
	private static MessageState state(ResultSet row, @Nullable String text) throws SQLException {
		return new MessageState(row.getLong("changed"), text, 0, row.getBoolean("deleted"), row.getLong("edited"),
				row.getLong("reacted"), Map.of(), Positions.NONE, ThreadState.NONE, null,
				new PinState(row.getLong("pin"), row.getBoolean("pinned")));
	}

}
