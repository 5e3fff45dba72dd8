package io.parley.store.event;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.parley.events.Reaction;
import io.parley.store.Chunks;

import org.springframework.jdbc.core.JdbcTemplate;

/** Reads who has given which reactions to messages. */
public class ReactionRepository {

	private static final String GIVEN = """
			SELECT room_id, target, reaction_key, username FROM reaction
			WHERE (room_id, target, reaction_key, username) IN\s""";

	private static final String FIRST_USERS = """
			SELECT room_id, target, reaction_key, username FROM reaction
			WHERE room_id = ? AND target = ? AND reaction_key = ? ORDER BY username LIMIT ?""";

	private final JdbcTemplate jdbc;

	public ReactionRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** A reaction to a message. */
	private record Row(RoomPosition message, Reaction reaction) {

		void arguments(Consumer<Object> sink) {
			List.<Object>of(this.message.room(), this.message.position(), this.reaction.key(), this.reaction.user())
				.forEach(sink);
		}

	}

	/**
	 * Returns which of these reactions to messages are given. Messages without any are
	 * missing.
	 */
	public Map<RoomPosition, Set<Reaction>> given(Map<RoomPosition, ? extends Collection<Reaction>> reactions) {
		List<Row> wanted = new ArrayList<>();
		reactions.forEach((message, all) -> all.forEach((reaction) -> wanted.add(new Row(message, reaction))));
		Map<RoomPosition, Set<Reaction>> given = new HashMap<>();
		for (List<Row> chunk : Chunks.of(wanted)) {
			this.jdbc.query(GIVEN + Chunks.fours(chunk), (row) -> {
				given.computeIfAbsent(new RoomPosition(row.getString(1), row.getLong(2)), (message) -> new HashSet<>())
					.add(new Reaction(row.getString(4), row.getString(3)));
			}, chunk.stream().<Object>mapMulti(Row::arguments).toArray());
		}
		return given;
	}

	/**
	 * Returns the first users, by name, who have given reactions to messages. Messages
	 * without any are missing.
	 * @param keys the keys by message
	 * @param limit the maximum number of users for each key
	 */
	public Map<RoomPosition, Set<Reaction>> firstUsers(Map<RoomPosition, ? extends Collection<String>> keys,
			int limit) {
		List<Row> wanted = new ArrayList<>();
		keys.forEach((message, all) -> all.forEach((key) -> wanted.add(new Row(message, new Reaction("", key)))));
		Map<RoomPosition, Set<Reaction>> first = new HashMap<>();
		for (List<Row> chunk : Chunks.of(wanted)) {
			this.jdbc.query(Chunks.union(FIRST_USERS, chunk.size()), (row) -> {
				first.computeIfAbsent(new RoomPosition(row.getString(1), row.getLong(2)), (message) -> new HashSet<>())
					.add(new Reaction(row.getString(4), row.getString(3)));
			}, chunk.stream()
				.<Object>mapMulti((row, sink) -> List
					.<Object>of(row.message().room(), row.message().position(), row.reaction().key(), limit)
					.forEach(sink))
				.toArray());
		}
		return first;
	}

}
