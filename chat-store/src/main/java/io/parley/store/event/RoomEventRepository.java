package io.parley.store.event;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

import io.parley.events.EventType;
import io.parley.store.Chunks;
import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;

/** Reads the stored history. Each query reads one range of a key. */
public class RoomEventRepository {

	private static final String SELECT = "SELECT " + StoredEventMapper.COLUMNS + " FROM room_event WHERE room_id = ?";

	static final String NUMBER_AT = """
			SELECT room_id, position, number FROM room_event WHERE room_id = ? AND position <= ?
			ORDER BY room_id DESC, position DESC LIMIT 1""";

	private static final StoredEventMapper MAPPER = new StoredEventMapper();

	private final JdbcTemplate jdbc;

	RoomEventRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Returns the first events above a position, in ascending order. */
	public List<StoredEvent> after(String room, long position, int limit) {
		return this.jdbc.query(SELECT + " AND position > ? ORDER BY room_id, position LIMIT ?", MAPPER, room, position,
				limit);
	}

	/** Returns the number of events above a position, at most {@code limit}. */
	public int countAfter(String room, long position, int limit) {
		Integer count = this.jdbc.queryForObject(
				"""
						SELECT COUNT(*) FROM
						(SELECT 1 FROM room_event WHERE room_id = ? AND position > ? ORDER BY room_id, position LIMIT ?) missed""",
				Integer.class, room, position, limit);
		return (count != null) ? count : 0;
	}

	/** Returns the last events below a position, in ascending order. */
	public List<StoredEvent> before(String room, long position, int limit) {
		return this.jdbc
			.query(SELECT + " AND position < ? ORDER BY room_id DESC, position DESC LIMIT ?", MAPPER, room, position,
					limit)
			.reversed();
	}

	/**
	 * Returns the messages that were sent after a time, among the newest events of each
	 * room, in any order.
	 * @param since the time, by room
	 * @param limit the number of newest events of each room that are examined
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

	/** Returns the newest event of a room, {@link RoomHead#NONE} if there is none. */
	public RoomHead head(String room) {
		return heads(List.of(room)).getOrDefault(room, RoomHead.NONE);
	}

	/** Returns the newest event of each room. Rooms without events are missing. */
	public Map<String, RoomHead> heads(Collection<String> rooms) {
		Map<String, RoomHead> heads = new HashMap<>();
		Chunks.of(rooms)
			.forEach((chunk) -> this.jdbc
				.query("SELECT room_id, last_position, last_number FROM room_head WHERE room_id IN "
						+ Chunks.placeholders(chunk), (row) -> {
							heads.put(row.getString(1), new RoomHead(row.getLong(2), row.getLong(3)));
						}, chunk.toArray()));
		return heads;
	}

	/** Returns the greatest stored position below the given one, or 0. */
	public long previous(String room, long position) {
		return this.jdbc.queryForList("""
				SELECT position FROM room_event WHERE room_id = ? AND position < ?
				ORDER BY room_id DESC, position DESC LIMIT 1""", Long.class, room, position)
			.stream()
			.findFirst()
			.orElse(0L);
	}

	/**
	 * Returns the newest events of each room, newest first. Rooms without events are
	 * missing.
	 * @param limit the number of events of each room
	 */
	public Map<String, List<StoredEvent>> newest(Collection<String> rooms, int limit) {
		Map<String, List<StoredEvent>> newest = new HashMap<>();
		for (List<String> chunk : Chunks.of(rooms)) {
			this.jdbc
				.query(Chunks.union(SELECT + " ORDER BY room_id DESC, position DESC LIMIT ?", chunk.size()), MAPPER,
						chunk.stream().<Object>mapMulti((room, sink) -> List.of(room, limit).forEach(sink)).toArray())
				.forEach((event) -> newest.computeIfAbsent(event.record().room(), (room) -> new ArrayList<>(limit))
					.add(event));
		}
		newest.values().forEach((events) -> events.sort(Comparator.comparingLong(StoredEvent::position).reversed()));
		return newest;
	}

	/** Returns the number of messages in the room up to and including the position. */
	public long numberAt(String room, long position) {
		RoomPosition at = new RoomPosition(room, position);
		return numbersAt(List.of(at)).getOrDefault(at, 0L);
	}

	/**
	 * Returns {@link #numberAt} for many rooms. Rooms without events up to their position
	 * are missing.
	 */
	public Map<String, Long> numbersAt(Map<String, Long> positionsByRoom) {
		Map<String, Long> numbers = new HashMap<>();
		numberedEvents(positionsByRoom.entrySet()
			.stream()
			.map((entry) -> new RoomPosition(entry.getKey(), entry.getValue()))
			.toList()).forEach((room, found) -> numbers.put(room, found.lastEntry().getValue()));
		return numbers;
	}

	/** Returns {@link #numberAt} for each position. */
	public Map<RoomPosition, Long> numbersAt(Collection<RoomPosition> positions) {
		Map<String, NavigableMap<Long, Long>> found = numberedEvents(positions);
		Map<RoomPosition, Long> numbers = new HashMap<>();
		for (RoomPosition at : positions) {
			Map.Entry<Long, Long> event = found.getOrDefault(at.room(), Collections.emptyNavigableMap())
				.floorEntry(at.position());
			numbers.put(at, (event != null) ? event.getValue() : 0L);
		}
		return numbers;
	}

	/**
	 * Returns the last event up to each position: the numbers by position, by room. No
	 * other event is between one of the given positions and the last of these up to it.
	 */
	private Map<String, NavigableMap<Long, Long>> numberedEvents(Collection<RoomPosition> positions) {
		Map<String, NavigableMap<Long, Long>> found = new HashMap<>();
		for (List<RoomPosition> chunk : Chunks.of(positions)) {
			this.jdbc.query(Chunks.union(NUMBER_AT, chunk.size()), (row) -> {
				found.computeIfAbsent(row.getString(1), (room) -> new TreeMap<>()).put(row.getLong(2), row.getLong(3));
			}, chunk.stream()
				.<Object>mapMulti((at, sink) -> List.of(at.room(), at.position()).forEach(sink))
				.toArray());
		}
		return found;
	}

	/** Returns the message that the sender posted with its own id. */
	public Optional<StoredEvent> byClientId(String room, String sender, String clientId) {
		return this.jdbc.query(SELECT + " AND sender = ? AND client_id = ?", MAPPER, room, sender, clientId)
			.stream()
			.findFirst();
	}

}
