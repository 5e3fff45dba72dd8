package io.parley.store.event;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.parley.events.EventType;
import io.parley.store.Chunks;
import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;

/** The stored history, to read. Each question is answered by one range of the key. */
public class RoomEventRepository {

	private static final String SELECT = "SELECT " + StoredEventMapper.COLUMNS + " FROM room_event WHERE room_id = ?";

	static final String NUMBER_AT = """
			SELECT room_id, number FROM room_event WHERE room_id = ? AND position <= ?
			ORDER BY room_id DESC, position DESC LIMIT 1""";

	private static final StoredEventMapper MAPPER = new StoredEventMapper();

	private final JdbcTemplate jdbc;

	RoomEventRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** The first events above a position, ascending. */
	public List<StoredEvent> after(String room, long position, int limit) {
		return this.jdbc.query(SELECT + " AND position > ? ORDER BY room_id, position LIMIT ?", MAPPER, room, position,
				limit);
	}

	/** How many events are above a position, as far as {@code most}. */
	public int countAfter(String room, long position, int most) {
		Integer count = this.jdbc.queryForObject(
				"""
						SELECT COUNT(*) FROM
						(SELECT 1 FROM room_event WHERE room_id = ? AND position > ? ORDER BY room_id, position LIMIT ?) missed""",
				Integer.class, room, position, most);
		return (count != null) ? count : 0;
	}

	/** The last events below a position, ascending. */
	public List<StoredEvent> before(String room, long position, int limit) {
		return this.jdbc
			.query(SELECT + " AND position < ? ORDER BY room_id DESC, position DESC LIMIT ?", MAPPER, room, position,
					limit)
			.reversed();
	}

	/**
	 * The messages among the newest events of each room that were sent after a time, in
	 * any order.
	 * @param since by room
	 * @param limit how many events of a room are looked at
	 */
	public List<StoredEvent> messagesSince(Map<String, Instant> since, int limit) {
		String one = "SELECT * FROM (" + SELECT + " ORDER BY room_id DESC, position DESC LIMIT ?) newest"
				+ " WHERE type = ? AND sent_at > ?";
		return Chunks.of(since.entrySet())
			.stream()
			.flatMap((chunk) -> this.jdbc.query(Chunks.union(one, chunk.size()), MAPPER, chunk.stream()
				.<Object>mapMulti((entry, sink) -> List
					.of(entry.getKey(), limit, EventType.MESSAGE_POSTED.wireName(), UtcTime.of(entry.getValue()))
					.forEach(sink))
				.toArray()).stream())
			.toList();
	}

	/** The newest event of a room; {@link RoomHead#NONE} when there is none. */
	public RoomHead head(String room) {
		return heads(List.of(room)).getOrDefault(room, RoomHead.NONE);
	}

	/** The newest events by room; rooms without events are missing. */
	public Map<String, RoomHead> heads(Collection<String> rooms) {
		Map<String, RoomHead> heads = new HashMap<>();
		Chunks.of(rooms)
			.forEach((chunk) -> this.jdbc
				.query("SELECT room_id, last_position, last_number FROM room_head WHERE room_id IN "
						+ Chunks.places(chunk), (row) -> {
							heads.put(row.getString(1), new RoomHead(row.getLong(2), row.getLong(3)));
						}, chunk.toArray()));
		return heads;
	}

	/** The greatest stored position below the given one, or 0. */
	public long previous(String room, long position) {
		return this.jdbc.queryForList("""
				SELECT position FROM room_event WHERE room_id = ? AND position < ?
				ORDER BY room_id DESC, position DESC LIMIT 1""", Long.class, room, position)
			.stream()
			.findFirst()
			.orElse(0L);
	}

	/** How many messages the room has up to and including the position. */
	public long numberAt(String room, long position) {
		return numbersAt(Map.of(room, position)).getOrDefault(room, 0L);
	}

	/** {@link #numberAt} for many rooms; rooms with nothing up to there are missing. */
	public Map<String, Long> numbersAt(Map<String, Long> positionsByRoom) {
		Map<String, Long> numbers = new HashMap<>();
		Chunks.of(positionsByRoom.entrySet()).forEach((chunk) -> {
			String sql = String.join(" UNION ALL ", chunk.stream().map((entry) -> "(" + NUMBER_AT + ")").toList());
			Object[] arguments = chunk.stream()
				.<Object>mapMulti((entry, sink) -> List.of(entry.getKey(), entry.getValue()).forEach(sink))
				.toArray();
			this.jdbc.query(sql, (row) -> {
				numbers.put(row.getString(1), row.getLong(2));
			}, arguments);
		});
		return numbers;
	}

	/** The message that a sender posted with its own id. */
	public Optional<StoredEvent> byClientId(String room, String sender, String clientId) {
		return this.jdbc.query(SELECT + " AND sender = ? AND client_id = ?", MAPPER, room, sender, clientId)
			.stream()
			.findFirst();
	}

}
