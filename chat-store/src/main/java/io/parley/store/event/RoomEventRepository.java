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
import java.util.stream.Stream;

import io.parley.events.EventType;
import io.parley.store.Chunks;
import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;

/** Reads the stored history. Each query reads one range of a key. */
public class RoomEventRepository {

	private static final String SELECT = "SELECT " + StoredEventMapper.COLUMNS + StoredEventMapper.FEED
			+ " WHERE e.room_id = ?";

	private static final String MESSAGE = "SELECT " + StoredEventMapper.COLUMNS + StoredEventMapper.MESSAGES
			+ " WHERE e.room_id = ? AND e.position = ?";

	static final String AFTER = SELECT + " AND e.position > ? ORDER BY e.room_id, e.position LIMIT ?";

	static final String BEFORE = SELECT + " AND e.position < ? ORDER BY e.room_id DESC, e.position DESC LIMIT ?";

	/**
	 * The events of the room itself that change no other one, with the head of the room.
	 */
	static final String NEWEST = "SELECT " + StoredEventMapper.COLUMNS
			+ ", h.last_position, h.last_number, h.deletes, h.last_mention" + StoredEventMapper.MESSAGES
			+ " LEFT JOIN room_head h ON h.room_id = e.room_id"
			+ " WHERE e.room_id = ? AND e.target IS NULL AND e.thread IS NULL ORDER BY e.room_id DESC, e.position DESC LIMIT ?";

	private static final String NEWEST_IN = "SELECT CAST(? AS DECIMAL) AS range_no, " + StoredEventMapper.COLUMNS
			+ StoredEventMapper.MESSAGES
			+ " WHERE e.room_id = ? AND e.position BETWEEN ? AND ? AND e.sender <> ? AND e.type = ? AND COALESCE(e.thread, 0) = ? AND e.body <> ''"
			+ " ORDER BY e.room_id DESC, e.position DESC LIMIT 1";

	private static final String MESSAGES_SINCE = "SELECT * FROM (SELECT " + StoredEventMapper.COLUMNS
			+ StoredEventMapper.MESSAGES
			+ " WHERE e.room_id = ? ORDER BY e.room_id DESC, e.position DESC LIMIT ?) newest"
			+ " WHERE type IN (?, ?) AND sent_at > ? AND body <> ''";

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
		return this.jdbc.query(AFTER, MAPPER, room, position, limit);
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
		return this.jdbc.query(BEFORE, MAPPER, room, position, limit).reversed();
	}

	/**
	 * Returns the messages and replies that were sent after a time and not deleted, among
	 * the newest events of each room, in any order.
	 * @param since the time, by room
	 * @param limit the number of newest events of each room that are examined
	 */
	public List<StoredEvent> messagesSince(Map<String, Instant> since, int limit) {
		return Chunks.of(since.entrySet())
			.stream()
			.flatMap((chunk) -> this.jdbc.query(Chunks.union(MESSAGES_SINCE, chunk.size()), MAPPER,
					chunk.stream()
						.<Object>mapMulti((entry, sink) -> List
							.of(entry.getKey(), limit, EventType.MESSAGE_POSTED.wireName(),
									EventType.THREAD_POSTED.wireName(), UtcTime.of(entry.getValue()))
							.forEach(sink))
						.toArray())
				.stream())
			.toList();
	}

	/**
	 * Returns the newest message of each range that is not deleted, with its current
	 * text.
	 */
	public Map<MessageRange, StoredEvent> newestIn(Collection<MessageRange> ranges) {
		Map<MessageRange, StoredEvent> newest = new HashMap<>();
		for (List<MessageRange> chunk : Chunks.of(ranges)) {
			List<Object> arguments = new ArrayList<>();
			for (int i = 0; i < chunk.size(); i++) {
				MessageRange range = chunk.get(i);
				arguments.addAll(List.of(i, range.room(), range.first(), range.last(), range.reader(),
						range.type().wireName(), range.thread()));
			}
			this.jdbc.query(Chunks.union(NEWEST_IN, chunk.size()), (row) -> {
				newest.put(chunk.get(row.getInt("range_no")), MAPPER.mapRow(row, 0));
			}, arguments.toArray());
		}
		return newest;
	}

	/** Returns the newest event of a room, {@link RoomHead#NONE} if there is none. */
	public RoomHead head(String room) {
		return heads(List.of(room)).getOrDefault(room, RoomHead.NONE);
	}

	/** Returns the newest event of each room. Rooms without events are missing. */
	public Map<String, RoomHead> heads(Collection<String> rooms) {
		Map<String, RoomHead> heads = new HashMap<>();
		Chunks.of(rooms)
			.forEach((chunk) -> this.jdbc.query(
					"SELECT room_id, last_position, last_number, deletes, last_mention FROM room_head WHERE room_id IN "
							+ Chunks.placeholders(chunk),
					(row) -> {
						heads.put(row.getString(1),
								new RoomHead(row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5)));
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
	 * The newest events of a room, newest first.
	 *
	 * @param events without changes of messages and threads; the messages have their
	 * current text
	 */
	public record Newest(RoomHead head, List<StoredEvent> events) {
	}

	/**
	 * Returns the newest events of each room. Rooms without events are missing.
	 * @param limit the number of events of each room
	 */
	public Map<String, Newest> newest(Collection<String> rooms, int limit) {
		Map<String, Newest> newest = new HashMap<>();
		for (List<String> chunk : Chunks.of(rooms)) {
			this.jdbc.query(Chunks.union(NEWEST, chunk.size()), (row) -> {
				RoomHead head = new RoomHead(row.getLong("last_position"), row.getLong("last_number"),
						row.getLong("deletes"), row.getLong("last_mention"));
				newest.computeIfAbsent(row.getString("room_id"), (room) -> new Newest(head, new ArrayList<>(limit)))
					.events()
					.add(MAPPER.mapRow(row, 0));
			}, chunk.stream().<Object>mapMulti((room, sink) -> List.of(room, limit).forEach(sink)).toArray());
		}
		newest.values()
			.forEach((room) -> room.events().sort(Comparator.comparingLong(StoredEvent::position).reversed()));
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

	/**
	 * Returns the events at these positions. A message has the text with which it was
	 * posted, or none if it is deleted.
	 */
	public List<StoredEvent> at(String room, Collection<Long> positions) {
		return Chunks.query(positions,
				(chunk) -> this.jdbc.query(SELECT + " AND e.position IN " + Chunks.placeholders(chunk), MAPPER,
						Stream.concat(Stream.of(room), chunk.stream()).toArray()));
	}

	/**
	 * Returns the messages at these positions with their current text, in any order.
	 * Positions without an event are left out.
	 */
	public List<StoredEvent> messages(Collection<RoomPosition> positions) {
		return Chunks.query(positions,
				(chunk) -> this.jdbc.query(Chunks.union(MESSAGE, chunk.size()), MAPPER,
						chunk.stream()
							.<Object>mapMulti((at, sink) -> List.of(at.room(), at.position()).forEach(sink))
							.toArray()));
	}

	/** Returns the event to which the sender gave this id. */
	public Optional<StoredEvent> byClientId(String room, String sender, String clientId) {
		return this.jdbc.query(SELECT + " AND e.sender = ? AND e.client_id = ?", MAPPER, room, sender, clientId)
			.stream()
			.findFirst();
	}

}
