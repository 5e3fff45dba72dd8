package io.parley.store.push;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapper;

/** Maps a row of {@code push_task}. */
class PushTaskMapper implements RowMapper<PushTask> {

	@Override
	public PushTask mapRow(ResultSet row, int index) throws SQLException {
		return new PushTask(row.getString("username"), row.getString("room_id"), row.getLong("first_position"),
				row.getLong("last_position"), row.getInt("messages"), row.getLong("mention"), row.getString("sender"),
				row.getString("text"), UtcTime.read(row, "sent_at"), UtcTime.read(row, "due_at"),
				UtcTime.read(row, "expires_at"), row.getInt("attempts"), devices(row.getString("retry_devices")),
				row.getInt("retry_messages"),
				(row.getObject("waits_since") != null) ? UtcTime.read(row, "waits_since") : null,
				row.getLong("thread"));
	}

	private static Set<String> devices(@Nullable String list) {
		return (list != null && !list.isEmpty()) ? Set.of(list.split(",")) : Set.of();
	}

}
