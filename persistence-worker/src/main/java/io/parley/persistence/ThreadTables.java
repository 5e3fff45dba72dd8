package io.parley.persistence;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.store.Chunks;
import io.parley.store.event.RoomPosition;
import io.parley.store.thread.ThreadKey;

import org.springframework.jdbc.core.JdbcTemplate;

/** Writes the tables of threads that only this worker writes. */
class ThreadTables {

	private static final String INSERT_REPLY = """
			INSERT INTO thread_reply (number, room_id, root, position) VALUES (?, ?, ?, ?)""";

	private static final String NUMBER_BEFORE = """
			SELECT number FROM thread_reply WHERE room_id = ? AND root = ? AND position < ?
			ORDER BY room_id DESC, root DESC, position DESC LIMIT 1""";

	private static final String RENUMBER = """
			UPDATE thread_reply SET number = number + 1 WHERE room_id = ? AND root = ? AND position > ?""";

	private static final String SELECT_PARTICIPANTS = """
			SELECT room_id, root, username FROM thread_participant WHERE (room_id, root, username) IN\s""";

	private static final String UPDATE_PARTICIPANT = """
			UPDATE thread_participant SET position = GREATEST(position, ?)
			WHERE room_id = ? AND root = ? AND username = ?""";

	private static final String INSERT_PARTICIPANT = """
			INSERT INTO thread_participant (position, room_id, root, username) VALUES (?, ?, ?, ?)""";

	private final JdbcTemplate jdbc;

	ThreadTables(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** A reply and its number in the thread. */
	record Reply(RoomPosition root, long position, long number) {
	}

	/** Adds replies that are after all stored ones of their threads. */
	void insert(List<Reply> replies) {
		this.jdbc.batchUpdate(INSERT_REPLY,
				replies.stream()
					.map((reply) -> new Object[] { reply.number(), reply.root().room(), reply.root().position(),
							reply.position() })
					.toList());
	}

	/** Adds a reply before other ones, whose numbers increase. */
	void insertBefore(RoomPosition root, long position) {
		long before = this.jdbc.queryForList(NUMBER_BEFORE, Long.class, root.room(), root.position(), position)
			.stream()
			.findFirst()
			.orElse(0L);
		this.jdbc.update(RENUMBER, root.room(), root.position(), position);
		insert(List.of(new Reply(root, position, before + 1)));
	}

	/**
	 * Records users who take part in threads, with the positions of their last replies.
	 */
	void addParticipants(Map<ThreadKey, Long> participants) {
		Set<ThreadKey> known = new HashSet<>();
		for (List<ThreadKey> chunk : Chunks.of(participants.keySet())) {
			known.addAll(this.jdbc.query(SELECT_PARTICIPANTS + Chunks.triples(chunk),
					(row, index) -> new ThreadKey(new RoomPosition(row.getString(1), row.getLong(2)), row.getString(3)),
					chunk.stream()
						.<Object>mapMulti(
								(key, sink) -> List.of(key.root().room(), key.root().position(), key.username())
									.forEach(sink))
						.toArray()));
		}
		Map<ThreadKey, Long> added = new HashMap<>(participants);
		added.keySet().removeAll(known);
		Map<ThreadKey, Long> replied = new HashMap<>(participants);
		replied.keySet().retainAll(known);
		this.jdbc.batchUpdate(UPDATE_PARTICIPANT, rows(replied));
		this.jdbc.batchUpdate(INSERT_PARTICIPANT, rows(added));
	}

	private static List<Object[]> rows(Map<ThreadKey, Long> participants) {
		return participants.entrySet()
			.stream()
			.map((entry) -> new Object[] { entry.getValue(), entry.getKey().root().room(),
					entry.getKey().root().position(), entry.getKey().username() })
			.toList();
	}

}
