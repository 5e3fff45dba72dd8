package io.parley.persistence;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import io.parley.store.event.RoomPosition;

import org.springframework.jdbc.core.JdbcTemplate;

/** Writes who is mentioned by which messages. */
class MentionTable {

	private static final String INSERT = """
			INSERT INTO mention (username, room_id, position, thread, sender, mentioned_at) VALUES (?, ?, ?, ?, ?, ?)""";

	private static final String SELECT = """
			SELECT room_id, position, username FROM mention WHERE (room_id, position) IN\s""";

	private static final String DELETE = "DELETE FROM mention WHERE username = ? AND room_id = ? AND position = ?";

	/**
	 * Names the index so that MySQL does not lock rows of other rooms (see
	 * {@link Chunks}).
	 */
	private static final String DELETE_ALL = """
			DELETE /*+ INDEX(mention mention_message) */ FROM mention WHERE room_id = ? AND position = ?""";

	private final JdbcTemplate jdbc;

	MentionTable(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** A user, or the whole room, who is mentioned by a message. */
	record Row(RoomPosition message, String username, long thread, String sender, Instant at) {

		private Object[] values() {
			return new Object[] { this.username, this.message.room(), this.message.position(), this.thread, this.sender,
					UtcTime.of(this.at) };
		}

	}

	/** Returns the names in the rows of these messages. */
	Map<RoomPosition, Set<String>> names(Collection<RoomPosition> messages) {
		Map<RoomPosition, Set<String>> names = new HashMap<>();
		for (List<RoomPosition> chunk : Chunks.of(messages)) {
			this.jdbc.query(SELECT + Chunks.pairs(chunk), (row) -> {
				names.computeIfAbsent(new RoomPosition(row.getString(1), row.getLong(2)), (message) -> new HashSet<>())
					.add(row.getString(3));
			}, chunk.stream()
				.<Object>mapMulti((at, sink) -> List.of(at.room(), at.position()).forEach(sink))
				.toArray());
		}
		return names;
	}

	void insert(List<Row> rows) {
		this.jdbc.batchUpdate(INSERT, rows.stream().map(Row::values).toList());
	}

	void delete(Map<RoomPosition, Set<String>> names) {
		this.jdbc.batchUpdate(DELETE,
				names.entrySet()
					.stream()
					.flatMap((entry) -> entry.getValue()
						.stream()
						.map((name) -> new Object[] { name, entry.getKey().room(), entry.getKey().position() }))
					.toList());
	}

	/** Removes the rows of deleted messages. */
	void deleteAll(Collection<RoomPosition> messages) {
		this.jdbc.batchUpdate(DELETE_ALL,
				messages.stream().map((message) -> new Object[] { message.room(), message.position() }).toList());
	}

}
