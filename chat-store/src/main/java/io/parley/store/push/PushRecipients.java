package io.parley.store.push;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads what decides whether members of rooms are notified: one statement for up to 200
 * of them, in whatever rooms.
 */
public class PushRecipients {

	private static final String SELECT = """
			SELECT m.username, m.room_id, r.position, s.level, s.muted_until, (
				SELECT MAX(l.renewed_at) FROM followed_rooms f JOIN node_lease l ON l.node = f.node
				WHERE f.username = m.username AND LOCATE(CONCAT(' ', m.room_id, ' '), f.rooms) > 0 AND l.expires_at > ?), (
				SELECT MAX(l.renewed_at) FROM room_presence p JOIN node_lease l ON l.node = p.node
				WHERE p.room_id = m.room_id AND p.username = m.username AND l.expires_at > ?)
			FROM room_member m
			LEFT JOIN read_marker r ON r.room_id = m.room_id AND r.username = m.username
			LEFT JOIN room_push_setting s ON s.room_id = m.room_id AND s.username = m.username
			WHERE (m.room_id, m.username) IN\s""";

	private final JdbcTemplate jdbc;

	PushRecipients(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * A member of a room.
	 *
	 * @param read the position up to which the member has read the room; 0 for nothing
	 * @param liveUntil messages delivered before that time have reached the member, who
	 * follows the room live; null if that is not so on any live node
	 */
	public record Recipient(PushKey key, long read, RoomPushSetting setting, @Nullable Instant liveUntil) {
	}

	/**
	 * Returns the members of the rooms, whatever the threads of the keys are. Users who
	 * are not a member of the room are missing.
	 */
	public Map<PushKey, Recipient> of(Collection<PushKey> keys, Instant now) {
		Map<PushKey, Recipient> recipients = new HashMap<>();
		for (List<PushKey> chunk : Chunks.of(keys)) {
			this.jdbc.query(SELECT + Chunks.pairs(chunk), (row, index) -> recipient(row),
					Stream
						.concat(Stream.of(UtcTime.of(now), UtcTime.of(now)),
								chunk.stream().flatMap((key) -> Stream.of(key.room(), key.username())))
						.toArray())
				.forEach((recipient) -> recipients.put(recipient.key(), recipient));
		}
		return recipients;
	}

	private static Recipient recipient(ResultSet row) throws SQLException {
		String level = row.getString(4);
		return new Recipient(new PushKey(row.getString(1), row.getString(2)), row.getLong(3),
				new RoomPushSetting((level != null) ? PushLevel.valueOf(level) : null, instant(row, 5)),
				latest(instant(row, 6), instant(row, 7)));
	}

	private static @Nullable Instant latest(@Nullable Instant one, @Nullable Instant other) {
		if (one == null || other == null) {
			return (one != null) ? one : other;
		}
		return one.isAfter(other) ? one : other;
	}

	private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
		LocalDateTime time = row.getObject(column, LocalDateTime.class);
		return (time != null) ? time.toInstant(ZoneOffset.UTC) : null;
	}

}
