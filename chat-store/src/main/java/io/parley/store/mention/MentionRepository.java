package io.parley.store.mention;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.parley.events.Positions;
import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import io.parley.store.event.RoomPosition;
import io.parley.store.room.ReadMarker;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads who is mentioned by which messages. Users are not mentioned by their own
 * messages.
 */
public class MentionRepository {

	/** The name in the row of a message that mentions the whole room. */
	public static final String ROOM = "*";

	static final String COUNT = """
			SELECT CAST(? AS DECIMAL), COUNT(*) FROM mention WHERE username IN (?, ?) AND room_id = ?
			AND position > ? AND position <= ? AND thread = ? AND sender <> ?""";

	static final String NEWEST = """
			SELECT room_id, position, mentioned_at FROM mention WHERE username = ? AND room_id = ? AND sender <> ?""";

	private static final String BEFORE = """
			AND mentioned_at <= ? AND (mentioned_at < ? OR room_id < ? OR (room_id = ? AND position < ?))""";

	static final String NEWEST_ORDER = " ORDER BY mentioned_at DESC, position DESC LIMIT ?";

	private final JdbcTemplate jdbc;

	MentionRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Which mentions are counted.
	 *
	 * @param marker the user, and the position after which mentions count
	 * @param upTo the last position that counts
	 * @param except the positions that do not count
	 */
	public record Range(ReadMarker marker, long upTo, Set<Long> except) {
	}

	/** Returns how many messages of the rooms themselves mention the users. */
	public Map<ReadMarker, Long> count(Collection<Range> ranges) {
		Map<ReadMarker, Long> counts = new HashMap<>();
		for (List<Range> chunk : Chunks.of(ranges)) {
			List<String> queries = new ArrayList<>();
			List<Object> arguments = new ArrayList<>();
			for (Range range : chunk) {
				ReadMarker marker = range.marker();
				queries
					.add("(" + COUNT
							+ (range.except().isEmpty() ? ""
									: " AND position NOT IN " + Chunks.placeholders(List.copyOf(range.except())))
							+ ")");
				arguments.addAll(List.of(queries.size() - 1, marker.username(), ROOM, marker.room(), marker.position(),
						range.upTo(), Positions.NONE, marker.username()));
				arguments.addAll(range.except());
			}
			this.jdbc.query(String.join(" UNION ALL ", queries), (row) -> {
				counts.put(chunk.get(row.getInt(1)).marker(), row.getLong(2));
			}, arguments.toArray());
		}
		return counts;
	}

	/**
	 * Returns the newest mentions of a user, in the order of
	 * {@link UserMention#NEWEST_FIRST}.
	 * @param rooms the rooms in which they are
	 * @param before the last mention of the previous page; null for the first page
	 */
	public List<UserMention> newest(String username, Collection<String> rooms, @Nullable UserMention before,
			int limit) {
		String query = NEWEST + ((before != null) ? BEFORE : "") + NEWEST_ORDER;
		return Chunks.of(rooms)
			.stream()
			.flatMap((chunk) -> this.jdbc
				.query(Chunks.union(query, 2 * chunk.size()),
						(row, index) -> new UserMention(new RoomPosition(row.getString(1), row.getLong(2)),
								UtcTime.read(row, "mentioned_at")),
						chunk.stream().flatMap((room) -> arguments(username, room, before, limit)).toArray())
				.stream())
			.sorted(UserMention.NEWEST_FIRST)
			.limit(limit)
			.toList();
	}

	private static Stream<Object> arguments(String username, String room, @Nullable UserMention before, int limit) {
		return Stream.of(username, ROOM).flatMap((name) -> {
			List<Object> arguments = new ArrayList<>(List.of(name, room, username));
			if (before != null) {
				arguments.addAll(List.of(UtcTime.of(before.at()), UtcTime.of(before.at()), before.message().room(),
						before.message().room(), before.message().position()));
			}
			arguments.add(limit);
			return arguments.stream();
		});
	}

}
