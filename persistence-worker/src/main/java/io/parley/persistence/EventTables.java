package io.parley.persistence;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.parley.events.EventRecord;
import io.parley.events.EventType;
import io.parley.events.MessageState;
import io.parley.events.Positions;
import io.parley.events.Reaction;
import io.parley.events.ThreadState;
import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.ReactionRepository;
import io.parley.store.event.RoomHead;
import io.parley.store.event.RoomPosition;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/** Reads and writes the tables that only this worker writes. */
class EventTables {

	private static final String INSERT_EVENT = """
			INSERT INTO room_event
			(room_id, position, prev, number, type, event_id, sender, client_id, sent_at, target, thread, body) VALUES\s""";

	private static final String EVENT = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

	private static final String INSERT_HEAD = """
			INSERT INTO room_head (last_position, last_number, deletes, last_mention, room_id) VALUES (?, ?, ?, ?, ?)""";

	private static final String UPDATE_HEAD = """
			UPDATE room_head SET last_position = ?, last_number = ?, deletes = ?, last_mention = ? WHERE room_id = ?""";

	private static final String SELECT_CLIENT_KEYS = """
			SELECT room_id, sender, client_id FROM room_event WHERE (room_id, sender, client_id) IN\s""";

	private static final String INSERT_STATE = """
			INSERT INTO message_state (changed, text, edits, deleted, edited, reacted, counts, root, reply_number,
			replies_deleted, last_reply, repliers, mentions, pin, pinned, room_id, target)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

	private static final String UPDATE_STATE = """
			UPDATE message_state SET changed = ?, text = ?, edits = ?, deleted = ?, edited = ?, reacted = ?, counts = ?,
			root = ?, reply_number = ?, replies_deleted = ?, last_reply = ?, repliers = ?,
			mentions = ?, pin = ?, pinned = ? WHERE room_id = ? AND target = ?""";

	private static final String INSERT_REACTION = "INSERT INTO reaction (room_id, target, reaction_key, username) VALUES ";

	private static final String DELETE_REACTIONS = """
			DELETE /*+ INDEX(reaction PRIMARY) */ FROM reaction
			WHERE (room_id, target, reaction_key, username) IN\s""";

	private static final String DELETE_ALL_REACTIONS = "DELETE FROM reaction WHERE room_id = ? AND target = ?";

	private static final String EMPTY = "UPDATE room_event SET body = '' WHERE room_id = ? AND position = ?";

	private final JdbcTemplate jdbc;

	private final MessageStateRepository states;

	private final ReactionRepository reactions;

	private final ThreadTables threads;

	private final MentionTable mentions;

	EventTables(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		this.states = new MessageStateRepository(jdbc);
		this.reactions = new ReactionRepository(jdbc);
		this.threads = new ThreadTables(jdbc);
		this.mentions = new MentionTable(jdbc);
	}

	ThreadTables threads() {
		return this.threads;
	}

	MentionTable mentions() {
		return this.mentions;
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
			insert.setObject(++index, (event.target() != Positions.NONE) ? event.target() : null, Types.BIGINT);
			insert.setObject(++index, (event.thread() != Positions.NONE) ? event.thread() : null, Types.BIGINT);
			insert.setString(++index, new String(body(event), StandardCharsets.UTF_8));
		}
	}

	/** The text of an edit is stored in the state of its message only. */
	private static byte[] body(EventRecord event) {
		return event.type().equals(EventType.MESSAGE_EDITED) ? event.superseded().tail() : event.tail();
	}

	/** Returns the states of those of the messages that were changed. */
	Map<RoomPosition, MessageState> states(Collection<RoomPosition> messages) {
		return this.states.of(messages);
	}

	/** Saves the states of messages. Those in {@code known} already have a row. */
	void saveStates(Map<RoomPosition, MessageState> states, Set<RoomPosition> known) {
		batch(UPDATE_STATE, states, known::contains, EventTables::values);
		batch(INSERT_STATE, states, (message) -> !known.contains(message), EventTables::values);
	}

	private static @Nullable Object[] values(RoomPosition message, MessageState state) {
		ThreadState thread = state.thread();
		return new @Nullable Object[] { state.changed(), state.text(), state.edits(), state.deleted(), state.edited(),
				state.reacted(), state.counts().isEmpty() ? null : state.countsJson(), state.root(), thread.number(),
				thread.deleted(), thread.last(), thread.users().isEmpty() ? null : String.join(",", thread.users()),
				(state.mentions() != null) ? state.mentions().json() : null, state.pin().changed(), state.pin().on(),
				message.room(), message.position() };
	}

	/** Removes the content of messages, and the reactions to them. */
	void empty(Collection<RoomPosition> messages) {
		List<Object[]> rows = messages.stream()
			.map((message) -> new Object[] { message.room(), message.position() })
			.toList();
		this.jdbc.batchUpdate(EMPTY, rows);
		this.jdbc.batchUpdate(DELETE_ALL_REACTIONS, rows);
	}

	/** Returns which of these reactions to messages are stored. */
	Map<RoomPosition, Set<Reaction>> reactions(Map<RoomPosition, Set<Reaction>> reactions) {
		return this.reactions.given(reactions);
	}

	/** Adds reactions to a message, none of which is stored. */
	void addReactions(RoomPosition message, Collection<Reaction> reactions) {
		for (List<Reaction> chunk : Chunks.of(reactions)) {
			this.jdbc.update(INSERT_REACTION + String.join(", ", Collections.nCopies(chunk.size(), "(?, ?, ?, ?)")),
					arguments(message, chunk));
		}
	}

	/** Removes reactions to a message. */
	void removeReactions(RoomPosition message, Collection<Reaction> reactions) {
		for (List<Reaction> chunk : Chunks.of(reactions)) {
			this.jdbc.update(DELETE_REACTIONS + Chunks.fours(chunk), arguments(message, chunk));
		}
	}

	private static Object[] arguments(RoomPosition message, List<Reaction> reactions) {
		return reactions.stream()
			.flatMap((reaction) -> Stream.<Object>of(message.room(), message.position(), reaction.key(),
					reaction.user()))
			.toArray();
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
		batch(UPDATE_HEAD, heads, known::contains, EventTables::values);
		batch(INSERT_HEAD, heads, (room) -> !known.contains(room), EventTables::values);
	}

	private static Object[] values(String room, RoomHead head) {
		return new Object[] { head.position(), head.number(), head.deletes(), head.lastMention(), room };
	}

	private <K, V> void batch(String sql, Map<K, V> values, Predicate<K> filter,
			BiFunction<K, V, @Nullable Object[]> row) {
		List<@Nullable Object[]> rows = values.entrySet()
			.stream()
			.filter((entry) -> filter.test(entry.getKey()))
			.map((entry) -> row.apply(entry.getKey(), entry.getValue()))
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
