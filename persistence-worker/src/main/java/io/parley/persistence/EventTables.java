package io.parley.persistence;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.parley.events.EventRecord;
import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import io.parley.store.event.RoomHead;

import org.springframework.jdbc.core.JdbcTemplate;

/** Reads and writes the tables that only this worker writes. */
class EventTables {

	private static final String INSERT_EVENT = """
			INSERT INTO room_event
			(room_id, position, prev, number, type, event_id, sender, client_id, sent_at, body) VALUES\s""";

	private static final String EVENT = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

	private static final String INSERT_HEAD = """
			INSERT INTO room_head (last_position, last_number, room_id) VALUES (?, ?, ?)""";

	private static final String UPDATE_HEAD = """
			UPDATE room_head SET last_position = ?, last_number = ? WHERE room_id = ?""";

	private static final String SELECT_CLIENT_KEYS = """
			SELECT room_id, sender, client_id FROM room_event WHERE (room_id, sender, client_id) IN\s""";

	private final JdbcTemplate jdbc;

	EventTables(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Inserts many rows with one statement, which is half the work for the driver of a
	 * batch that it rewrites.
	 */
	void insert(List<NumberedRecord> events) {
		for (List<NumberedRecord> chunk : Chunks.of(events)) {
			String sql = INSERT_EVENT + String.join(", ", Collections.nCopies(chunk.size(), EVENT));
			this.jdbc.update(sql, (insert) -> set(insert, chunk));
		}
	}

	private static void set(PreparedStatement insert, List<NumberedRecord> events) throws SQLException {
		int index = 0;
		for (NumberedRecord numbered : events) {
			EventRecord event = numbered.event();
			insert.setString(++index, event.room());
			insert.setLong(++index, numbered.position());
			insert.setLong(++index, numbered.prev());
			insert.setLong(++index, numbered.number());
			insert.setString(++index, event.type().wireName());
			insert.setString(++index, event.id());
			insert.setString(++index, event.sender());
			insert.setString(++index, ClientKey.of(event).clientId());
			insert.setObject(++index, UtcTime.of(event.sentAt()));
			insert.setString(++index, new String(event.tail(), StandardCharsets.UTF_8));
		}
	}

	/**
	 * Returns how often the stored events of the rooms of a partition were renumbered. It
	 * does not change inside a transaction that has locked the offset.
	 */
	long rewrites(int partition) {
		return this.jdbc
			.queryForList("SELECT rewrites FROM reader_offset WHERE reader = ? AND partition_no = ? FOR UPDATE",
					Long.class, PersistenceWorker.READER, partition)
			.stream()
			.findFirst()
			.orElse(0L);
	}

	/** Makes the worker discard the numbers that it has cached. */
	void incrementRewrites(int partition) {
		this.jdbc.update("UPDATE reader_offset SET rewrites = rewrites + 1 WHERE reader = ? AND partition_no = ?",
				PersistenceWorker.READER, partition);
	}

	/** Replaces the heads of rooms. Those in {@code known} already have a row. */
	void save(Map<String, RoomHead> heads, Set<String> known) {
		batch(UPDATE_HEAD, heads.entrySet().stream().filter((head) -> known.contains(head.getKey())));
		batch(INSERT_HEAD, heads.entrySet().stream().filter((head) -> !known.contains(head.getKey())));
	}

	private void batch(String sql, Stream<Map.Entry<String, RoomHead>> heads) {
		List<Object[]> rows = heads
			.map((head) -> new Object[] { head.getValue().position(), head.getValue().number(), head.getKey() })
			.toList();
		if (!rows.isEmpty()) {
			this.jdbc.batchUpdate(sql, rows);
		}
	}

	/** Returns those of the keys whose event is stored. */
	Set<ClientKey> stored(Collection<ClientKey> keys) {
		Set<ClientKey> stored = new HashSet<>();
		for (List<ClientKey> chunk : Chunks.of(keys)) {
			String placeholders = String.join(", ", chunk.stream().map((key) -> "(?, ?, ?)").toList());
			Object[] arguments = chunk.stream()
				.flatMap((key) -> Stream.<Object>of(key.room(), key.sender(), key.clientId()))
				.toArray();
			stored.addAll(this.jdbc.query(SELECT_CLIENT_KEYS + "(" + placeholders + ")",
					(row, index) -> new ClientKey(row.getString(1), row.getString(2), row.getString(3)), arguments));
		}
		return stored;
	}

}
