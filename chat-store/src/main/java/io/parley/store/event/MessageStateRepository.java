package io.parley.store.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.events.Mentions;
import io.parley.events.MessageState;
import io.parley.events.PinState;
import io.parley.events.Positions;
import io.parley.events.ThreadState;
import io.parley.store.Chunks;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads the states of changed messages. A message without changes has none. Each query
 * reads one range of a key.
 */
public class MessageStateRepository {

	private static final String SELECT = """
			SELECT room_id, target, changed, text, edits, deleted, edited, reacted, counts,
			root, reply_number, replies_deleted, last_reply, repliers, mentions, pin, pinned
			FROM message_state WHERE room_id = ?""";

	private static final String CHANGES_IN = """
			SELECT CAST(? AS DECIMAL), COUNT(*), SUM(CASE WHEN s.deleted THEN 1 ELSE 0 END),
			MAX(CASE WHEN s.deleted AND s.target = ? THEN 1 ELSE 0 END)
			FROM message_state s JOIN room_event e ON e.room_id = s.room_id AND e.position = s.target
			WHERE s.room_id = ? AND s.target BETWEEN ? AND ? AND e.sender <> ?
			AND COALESCE(e.thread, 0) = ?""";

	/** Deletions of earlier versions have no position of their own. */
	private static final String DELETED_AFTER = """
			SELECT CAST(? AS DECIMAL), COUNT(*) FROM message_state WHERE room_id = ? AND target > ?
			AND deleted AND (CASE WHEN edited > 0 THEN edited ELSE changed END) <= ? AND root = ?""";

	private final JdbcTemplate jdbc;

	public MessageStateRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Returns the states of these messages. */
	public Map<RoomPosition, MessageState> of(Collection<RoomPosition> targets) {
		Map<RoomPosition, MessageState> states = new HashMap<>();
		for (List<RoomPosition> chunk : Chunks.of(targets)) {
			this.jdbc.query(Chunks.union(SELECT + " AND target = ?", chunk.size()), (row) -> {
				states.put(new RoomPosition(row.getString(1), row.getLong(2)), state(row));
			}, chunk.stream()
				.<Object>mapMulti((at, sink) -> List.of(at.room(), at.position()).forEach(sink))
				.toArray());
		}
		return states;
	}

	/** Returns the states of these messages of a room. */
	public Map<Long, MessageState> of(String room, Collection<Long> targets) {
		Map<Long, MessageState> states = new HashMap<>();
		Chunks.of(targets)
			.forEach((chunk) -> states.putAll(query(SELECT + " AND target IN " + Chunks.placeholders(chunk),
					Stream.concat(Stream.of(room), chunk.stream()).toArray())));
		return states;
	}

	/** Returns the states of the messages of a room from one position to another. */
	public Map<Long, MessageState> between(String room, long first, long last) {
		return query(SELECT + " AND target BETWEEN ? AND ?", room, first, last);
	}

	/**
	 * Returns the states of the messages whose last change is above a position, ordered
	 * by that change.
	 */
	public Map<Long, MessageState> changedAfter(String room, long position, int limit) {
		return query(SELECT + " AND changed > ? ORDER BY room_id, changed LIMIT ?", room, position, limit);
	}

	/** Returns the states of the pinned messages of a room. */
	public Map<Long, MessageState> pinned(String room) {
		return query(SELECT + " AND pinned = TRUE", room);
	}

	private Map<Long, MessageState> query(String sql, Object... arguments) {
		Map<Long, MessageState> states = new LinkedHashMap<>();
		this.jdbc.query(sql, (row) -> {
			states.put(row.getLong(2), state(row));
		}, arguments);
		return states;
	}

	private static MessageState state(ResultSet row) throws SQLException {
		String mentions = row.getString(15);
		return new MessageState(row.getLong(3), row.getString(4), row.getInt(5), row.getBoolean(6), row.getLong(7),
				row.getLong(8), MessageState.parseCounts(row.getString(9)), row.getLong(10), thread(row),
				(mentions != null) ? Mentions.parse(mentions) : null,
				new PinState(row.getLong(16), row.getBoolean(17)));
	}

	private static ThreadState thread(ResultSet row) throws SQLException {
		String users = row.getString(14);
		return new ThreadState(row.getLong(11), row.getLong(12), row.getLong(13),
				(users != null) ? List.of(users.split(",")) : List.of());
	}

	/**
	 * The changed messages of a range.
	 *
	 * @param deleted the number of deleted ones
	 * @param lastDeleted whether the message at the end of the range is deleted
	 */
	public record Changes(int deleted, boolean lastDeleted) {
	}

	/** Returns the changes of messages in each range. Ranges without any are missing. */
	public Map<MessageRange, Changes> changesIn(Collection<MessageRange> ranges) {
		Map<MessageRange, Changes> changes = new HashMap<>();
		for (List<MessageRange> chunk : Chunks.of(ranges)) {
			this.jdbc.query(Chunks.union(CHANGES_IN, chunk.size()), (row) -> {
				MessageRange range = chunk.get(row.getInt(1));
				if (row.getInt(2) > 0) {
					changes.put(range, new Changes(row.getInt(3), row.getBoolean(4)));
				}
			}, arguments(chunk));
		}
		return changes;
	}

	private static Object[] arguments(List<MessageRange> ranges) {
		List<Object> arguments = new ArrayList<>();
		for (int i = 0; i < ranges.size(); i++) {
			MessageRange range = ranges.get(i);
			arguments.addAll(List.of(i, range.last(), range.room(), range.first(), range.last(), range.reader(),
					range.thread()));
		}
		return arguments.toArray();
	}

	/**
	 * Returns the number of messages of the room itself after each position that are
	 * deleted.
	 * @param positions up to where deletions count, by position
	 */
	public Map<RoomPosition, Long> deletedAfter(Map<RoomPosition, Long> positions) {
		Map<RoomPosition, Long> counts = new HashMap<>();
		for (List<RoomPosition> chunk : Chunks.of(positions.keySet())) {
			List<Object> arguments = new ArrayList<>();
			for (int i = 0; i < chunk.size(); i++) {
				RoomPosition at = chunk.get(i);
				arguments.addAll(List.of(i, at.room(), at.position(), positions.getOrDefault(at, 0L), Positions.NONE));
			}
			this.jdbc.query(Chunks.union(DELETED_AFTER, chunk.size()), (row) -> {
				counts.put(chunk.get(row.getInt(1)), row.getLong(2));
			}, arguments.toArray());
		}
		return counts;
	}

}
