package io.parley.store.push;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Time;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/** Stores the push settings of the users. */
public class PushSettingRepository {

	private static final String OF_USERS = """
			SELECT username, level, muted_until, quiet_from, quiet_to, time_zone FROM push_setting
			WHERE username IN\s""";

	private static final String OF_ROOM = """
			SELECT username, level, muted_until FROM room_push_setting WHERE room_id = ? AND username IN\s""";

	private final JdbcTemplate jdbc;

	PushSettingRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Returns the settings of these users for all rooms. Users who have saved none are
	 * missing.
	 */
	public Map<String, PushSetting> of(Collection<String> usernames) {
		Map<String, PushSetting> settings = new HashMap<>();
		Chunks.of(usernames).forEach((chunk) -> this.jdbc.query(OF_USERS + Chunks.placeholders(chunk), (row) -> {
			settings.put(row.getString("username"),
					new PushSetting(PushLevel.valueOf(row.getString("level")), instant(row), quiet(row)));
		}, chunk.toArray()));
		return settings;
	}

	/**
	 * Returns the settings of these users for a room. Users who have saved none are
	 * missing.
	 */
	public Map<String, RoomPushSetting> of(String room, Collection<String> usernames) {
		Map<String, RoomPushSetting> settings = new HashMap<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			Object[] arguments = new Object[chunk.size() + 1];
			arguments[0] = room;
			System.arraycopy(chunk.toArray(), 0, arguments, 1, chunk.size());
			this.jdbc.query(OF_ROOM + Chunks.placeholders(chunk), (row) -> {
				String level = row.getString("level");
				settings.put(row.getString("username"),
						new RoomPushSetting((level != null) ? PushLevel.valueOf(level) : null, instant(row)));
			}, arguments);
		}
		return settings;
	}

	/** Returns the users who have chosen that level for a room. */
	public List<String> usersWith(String room, PushLevel level) {
		return this.jdbc.queryForList("SELECT username FROM room_push_setting WHERE room_id = ? AND level = ?",
				String.class, room, level.name());
	}

	/** Returns the rooms for which a user wants no notifications now. */
	public Set<String> mutedRooms(String username, Instant now) {
		return Set.copyOf(this.jdbc.queryForList("""
				SELECT room_id FROM room_push_setting
				WHERE username = ? AND (level = 'NONE' OR muted_until > ?)""", String.class, username,
				UtcTime.of(now)));
	}

	/** Replaces the user's settings for all rooms. */
	public void save(String username, PushSetting setting) {
		PushSetting.QuietHours quiet = setting.quiet();
		@Nullable Object[] values = { setting.level().name(), time(setting.mutedUntil()),
				(quiet != null) ? Time.valueOf(quiet.from()) : null, (quiet != null) ? Time.valueOf(quiet.to()) : null,
				(quiet != null) ? quiet.zone().getId() : null, username };
		save("""
				UPDATE push_setting SET level = ?, muted_until = ?, quiet_from = ?, quiet_to = ?, time_zone = ?
				WHERE username = ?""", """
				INSERT INTO push_setting (level, muted_until, quiet_from, quiet_to, time_zone, username)
				VALUES (?, ?, ?, ?, ?, ?)""", values);
	}

	/** Replaces the user's settings for a room. */
	public void save(String room, String username, RoomPushSetting setting) {
		PushLevel level = setting.level();
		@Nullable Object[] values = { (level != null) ? level.name() : null, time(setting.mutedUntil()), room, username };
		save("UPDATE room_push_setting SET level = ?, muted_until = ? WHERE room_id = ? AND username = ?",
				"INSERT INTO room_push_setting (level, muted_until, room_id, username) VALUES (?, ?, ?, ?)", values);
	}

	private void save(String update, String insert, @Nullable Object[] values) {
		if (this.jdbc.update(update, values) > 0) {
			return;
		}
		try {
			this.jdbc.update(insert, values);
		}
		catch (DuplicateKeyException | ConcurrencyFailureException ex) {
			// Another device of the user has saved settings at the same moment.
			this.jdbc.update(update, values);
		}
	}

	private static PushSetting.@Nullable QuietHours quiet(ResultSet row) throws SQLException {
		LocalTime from = row.getObject("quiet_from", LocalTime.class);
		LocalTime to = row.getObject("quiet_to", LocalTime.class);
		String zone = row.getString("time_zone");
		return (from != null && to != null && zone != null) ? new PushSetting.QuietHours(from, to, ZoneId.of(zone))
				: null;
	}

	private static @Nullable Instant instant(ResultSet row) throws SQLException {
		LocalDateTime time = row.getObject("muted_until", LocalDateTime.class);
		return (time != null) ? time.toInstant(ZoneOffset.UTC) : null;
	}

	private static @Nullable LocalDateTime time(@Nullable Instant instant) {
		return (instant != null) ? UtcTime.of(instant) : null;
	}

}
