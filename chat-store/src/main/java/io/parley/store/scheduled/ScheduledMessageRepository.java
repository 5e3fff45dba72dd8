package io.parley.store.scheduled;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores messages that are sent later. Servers claim those that are due, for a limited
 * time. All messages of one user and room that are due are claimed by one server at a
 * time, so that they are sent in the order of their times. Only the clock of the database
 * decides what is due and which claims have ended, so the clocks of servers do not
 * matter. Times are in whole milliseconds. Safe for use by many threads.
 */
public class ScheduledMessageRepository {

	/** Bounds the query for what is due; the rest is found by the next one. */
	private static final int DUE_ROWS = 500;

	private static final int DELETE_ROWS = 1_000;

	private static final String FINISH = """
			UPDATE scheduled_message SET state = ?, body = CASE WHEN ? = 1 THEN '' ELSE body END, position = ?,
			code = ?, reason = ?, attempts = ?, due_at = ?, version = version + ?, claim = NULL
			WHERE id = ? AND claim = ?""";

	private static final String CLAIM = """
			UPDATE /*+ INDEX(scheduled_message PRIMARY) */ scheduled_message
			SET claim = ?, due_at = ?, attempts = attempts + 1 WHERE id IN\s""";

	private static final Comparator<ScheduledMessage> ORDER = Comparator.comparing(ScheduledMessage::sendAt)
		.thenComparingLong(ScheduledMessage::id);

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private volatile @Nullable String databaseTime;

	ScheduledMessageRepository(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * A message that was stored now or before.
	 *
	 * @param isNew false if the user has stored a message with this client id before
	 */
	public record Added(ScheduledMessage message, boolean isNew) {
	}

	/** The messages of one user to one room. */
	private record Group(String username, String room) {
	}

	/** A message that may be claimed. */
	private record Candidate(long id, Group group, boolean due, boolean claimed) {
	}

	/**
	 * Adds a message, unless the user has added it before.
	 * @param limit how many messages of the user may wait or have failed; 0 for any
	 * number
	 * @return nothing if the user has that many
	 */
	public Optional<Added> add(ScheduledMessage message, int limit) {
		return this.transaction.execute((status) -> {
			// Serializes the requests of one user, so that the count is exact.
			this.jdbc.query("SELECT username FROM account WHERE username = ? FOR UPDATE",
					(row, index) -> row.getString(1), message.username());
			Optional<ScheduledMessage> before = find(message.username(), message.room(), message.clientId());
			if (before.isPresent()) {
				return Optional.of(new Added(before.get(), false));
			}
			if (limit > 0 && count(message.username()) >= limit) {
				return Optional.empty();
			}
			this.jdbc.update("""
					INSERT INTO scheduled_message (username, room_id, client_id, body, send_at, created_at, version,
					state, due_at, attempts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)""", message.username(),
					message.room(), message.clientId(), message.body(), UtcTime.of(message.sendAt()),
					UtcTime.of(message.createdAt()), message.version(), message.state().wireName(),
					UtcTime.of(message.sendAt()));
			return find(message.username(), message.room(), message.clientId()).map((added) -> new Added(added, true));
		});
	}

	/** Returns the message that a user has added with that client id. */
	public Optional<ScheduledMessage> find(String username, String room, String clientId) {
		return this.jdbc
			.query("SELECT * FROM scheduled_message WHERE username = ? AND room_id = ? AND client_id = ?",
					ScheduledMessageRepository::message, username, room, clientId)
			.stream()
			.findFirst();
	}

	private int count(String username) {
		Integer count = this.jdbc.queryForObject(
				"SELECT COUNT(*) FROM scheduled_message WHERE username = ? AND state IN (?, ?)", Integer.class,
				username, ScheduledState.WAITING.wireName(), ScheduledState.FAILED.wireName());
		return (count != null) ? count : 0;
	}

	/** Returns the messages of a user that wait or have failed, the next one first. */
	public List<ScheduledMessage> of(String username) {
		return this.jdbc
			.query("SELECT * FROM scheduled_message WHERE username = ? AND state IN (?, ?)",
					ScheduledMessageRepository::message, username, ScheduledState.WAITING.wireName(),
					ScheduledState.FAILED.wireName())
			.stream()
			.sorted(ORDER)
			.toList();
	}

	/** Returns a message of a user. */
	public Optional<ScheduledMessage> find(String username, long id) {
		return this.jdbc
			.query("SELECT * FROM scheduled_message WHERE id = ? AND username = ?", ScheduledMessageRepository::message,
					id, username)
			.stream()
			.findFirst();
	}

	/**
	 * Changes the body, the time and the state of a message, with no other change at the
	 * same time.
	 * @param change gets the current message and may throw an exception
	 * @return nothing if the user has no such message
	 */
	public Optional<ScheduledMessage> change(String username, long id, UnaryOperator<ScheduledMessage> change) {
		return this.transaction.execute((status) -> {
			List<ScheduledMessage> found = this.jdbc.query(
					"SELECT * FROM scheduled_message WHERE id = ? AND username = ? FOR UPDATE",
					ScheduledMessageRepository::message, id, username);
			return found.stream().findFirst().map((current) -> write(current, change.apply(current)));
		});
	}

	private ScheduledMessage write(ScheduledMessage before, ScheduledMessage after) {
		if (after.equals(before)) {
			return before;
		}
		this.jdbc.update("""
				UPDATE scheduled_message SET body = ?, send_at = ?, due_at = ?, state = ?, version = ?, code = NULL,
				reason = NULL, attempts = 0, claim = NULL WHERE id = ?""", after.body(), UtcTime.of(after.sendAt()),
				UtcTime.of((after.state() == ScheduledState.WAITING) ? after.sendAt() : now()),
				after.state().wireName(), before.version() + 1, before.id());
		return new ScheduledMessage(before.id(), before.username(), before.room(), before.clientId(), after.body(),
				after.sendAt(), before.createdAt(), before.version() + 1, after.state(), null, 0, null, null, null);
	}

	/**
	 * Claims messages that are due. Claims none of a user and room of which another
	 * message is claimed, and none before an earlier one of them that waits for its next
	 * attempt.
	 * @param groups of how many users and rooms
	 * @param perGroup how many of each user and room
	 * @param claim a unique name of this claim
	 * @param lease when others may claim the messages again
	 * @return the messages of each user and room, in the order in which they must be sent
	 */
	public List<List<ScheduledMessage>> claim(int groups, int perGroup, String claim, Duration lease) {
		List<Group> due = this.jdbc
			.query("SELECT username, room_id FROM scheduled_message WHERE state = ? AND due_at <= " + databaseTime()
					+ " ORDER BY due_at LIMIT " + DUE_ROWS,
					(row, index) -> new Group(row.getString(1), row.getString(2)), ScheduledState.WAITING.wireName())
			.stream()
			.distinct()
			.limit(groups)
			.toList();
		if (due.isEmpty()) {
			return List.of();
		}
		List<List<ScheduledMessage>> claimed = this.transaction.execute((status) -> {
			Map<Long, ScheduledMessage> locked = lock(candidates(due, perGroup));
			List<List<ScheduledMessage>> ready = ready(locked.values());
			take(ready.stream().flatMap(List::stream).toList(), claim, now().plus(lease));
			return ready;
		});
		return Objects.requireNonNull(claimed)
			.stream()
			.map((group) -> group.stream().map((message) -> claimed(message, claim)).toList())
			.toList();
	}

	/** Returns the first messages of each group that can be claimed as a whole. */
	private List<Long> candidates(List<Group> groups, int perGroup) {
		Map<Group, List<Candidate>> rows = Chunks.query(groups, this::waiting)
			.stream()
			.collect(Collectors.groupingBy(Candidate::group, LinkedHashMap::new, Collectors.toList()));
		return rows.values()
			.stream()
			.filter((group) -> group.stream().allMatch((row) -> row.due() || !row.claimed()))
			.flatMap((group) -> group.stream().takeWhile(Candidate::due).limit(perGroup))
			.map(Candidate::id)
			.toList();
	}

	private List<Candidate> waiting(List<Group> groups) {
		Object[] arguments = Stream
			.concat(groups.stream().flatMap((group) -> Stream.of(group.username(), group.room())),
					Stream.of(ScheduledState.WAITING.wireName()))
			.toArray();
		return this.jdbc.query("SELECT id, username, room_id, due_at <= " + databaseTime()
				+ ", claim FROM scheduled_message WHERE (username, room_id) IN " + Chunks.pairs(groups)
				+ " AND state = ? AND send_at <= " + databaseTime() + " ORDER BY username, room_id, send_at, id",
				(row, index) -> new Candidate(row.getLong(1), new Group(row.getString(2), row.getString(3)),
						row.getBoolean(4), row.getString(5) != null),
				arguments);
	}

	/**
	 * Locks messages, all in one order, and returns those that are still due. A message
	 * that is not was changed or claimed meanwhile.
	 */
	private Map<Long, ScheduledMessage> lock(List<Long> ids) {
		Map<Long, ScheduledMessage> locked = new LinkedHashMap<>();
		Set<Group> taken = new HashSet<>();
		for (List<Long> chunk : Chunks.of(ids.stream().sorted().toList())) {
			this.jdbc.query("SELECT /*+ INDEX(s PRIMARY) */ s.*, due_at <= " + databaseTime()
					+ " AS is_due, send_at <= " + databaseTime() + " AS is_time FROM scheduled_message s WHERE id IN "
					+ Chunks.placeholders(chunk) + " ORDER BY id FOR UPDATE", (row) -> {
						ScheduledMessage message = message(row, 0);
						boolean waits = message.state() == ScheduledState.WAITING && row.getBoolean("is_time");
						if (waits && row.getBoolean("is_due")) {
							locked.put(message.id(), message);
						}
						else if (waits) {
							// Another server has claimed it since.
							taken.add(new Group(message.username(), message.room()));
						}
					}, chunk.toArray());
		}
		locked.values().removeIf((message) -> taken.contains(new Group(message.username(), message.room())));
		return locked;
	}

	private static List<List<ScheduledMessage>> ready(Collection<ScheduledMessage> locked) {
		return locked.stream()
			.sorted(ORDER)
			.collect(Collectors.groupingBy((message) -> new Group(message.username(), message.room()),
					LinkedHashMap::new, Collectors.toList()))
			.values()
			.stream()
			.toList();
	}

	private void take(List<ScheduledMessage> messages, String claim, Instant until) {
		for (List<ScheduledMessage> chunk : Chunks.of(messages)) {
			List<Object> arguments = new ArrayList<>(List.of(claim, UtcTime.of(until)));
			chunk.forEach((message) -> arguments.add(message.id()));
			this.jdbc.update(CLAIM + Chunks.placeholders(chunk), arguments.toArray());
		}
	}

	private static ScheduledMessage claimed(ScheduledMessage message, String claim) {
		return new ScheduledMessage(message.id(), message.username(), message.room(), message.clientId(),
				message.body(), message.sendAt(), message.createdAt(), message.version(), message.state(), claim,
				message.attempts() + 1, null, null, null);
	}

	/**
	 * Stores outcomes, in one batch. Those of messages whose claim has passed to another
	 * server are ignored.
	 * @return the ids of the messages whose outcome was stored
	 */
	public Set<Long> finish(Collection<ScheduledOutcome> outcomes) {
		Set<Long> stored = new HashSet<>();
		if (outcomes.isEmpty()) {
			return stored;
		}
		List<ScheduledOutcome> ordered = outcomes.stream()
			.sorted(Comparator.comparingLong((ScheduledOutcome outcome) -> outcome.message().id()))
			.toList();
		this.transaction.executeWithoutResult((status) -> {
			Instant now = now();
			int[] updated = this.jdbc.batchUpdate(FINISH,
					ordered.stream().map((outcome) -> arguments(outcome, now)).toList());
			for (int i = 0; i < updated.length; i++) {
				if (updated[i] != 0) {
					stored.add(ordered.get(i).message().id());
				}
			}
		});
		return stored;
	}

	private static @Nullable Object[] arguments(ScheduledOutcome outcome, Instant now) {
		ScheduledMessage message = outcome.message();
		return switch (outcome) {
			case ScheduledOutcome.Sent sent ->
				arguments(message, ScheduledState.SENT, sent.position(), null, null, 0, now);
			case ScheduledOutcome.Failed failed ->
				arguments(message, ScheduledState.FAILED, null, failed.code(), failed.reason(), 0, now);
			case ScheduledOutcome.Retry retry -> arguments(message, ScheduledState.WAITING, null, null, null,
					message.attempts() - (retry.mayBeSent() ? 0 : 1), now.plus(retry.after()));
		};
	}

	private static @Nullable Object[] arguments(ScheduledMessage message, ScheduledState state, @Nullable Long position,
			@Nullable String code, @Nullable String reason, int attempts, Instant dueAt) {
		return new @Nullable Object[] { state.wireName(), (state == ScheduledState.SENT) ? 1 : 0, position, code,
				reason, attempts, UtcTime.of(dueAt), (state == ScheduledState.WAITING) ? 0 : 1, message.id(),
				message.claim() };
	}

	/**
	 * Deletes messages that reached one of these states before that time, in several
	 * statements.
	 * @return the number of deleted messages
	 */
	public int deleteBefore(Instant time, ScheduledState... states) {
		int deleted = 0;
		for (ScheduledState state : states) {
			int last = DELETE_ROWS;
			while (last == DELETE_ROWS) {
				last = this.jdbc.update(
						"DELETE FROM scheduled_message WHERE state = ? AND due_at < ? LIMIT " + DELETE_ROWS,
						state.wireName(), UtcTime.of(time));
				deleted += last;
			}
		}
		return deleted;
	}

	/** Returns the time of the database. */
	public Instant now() {
		LocalDateTime now = this.jdbc.queryForObject("SELECT " + databaseTime(), LocalDateTime.class);
		return Objects.requireNonNull(now).toInstant(ZoneOffset.UTC).truncatedTo(ChronoUnit.MILLIS);
	}

	/** Returns the expression for the time of the database in UTC. */
	private String databaseTime() {
		String known = this.databaseTime;
		if (known == null) {
			String product = this.jdbc.execute(
					(ConnectionCallback<String>) (connection) -> connection.getMetaData().getDatabaseProductName());
			known = "H2".equals(product) ? "CAST(CURRENT_TIMESTAMP(3) AT TIME ZONE 'UTC' AS TIMESTAMP(3))"
					: "UTC_TIMESTAMP(3)";
			this.databaseTime = known;
		}
		return known;
	}

	private static ScheduledMessage message(ResultSet row, int index) throws SQLException {
		long position = row.getLong("position");
		boolean sent = !row.wasNull();
		return new ScheduledMessage(row.getLong("id"), row.getString("username"), row.getString("room_id"),
				row.getString("client_id"), row.getString("body"), UtcTime.read(row, "send_at"),
				UtcTime.read(row, "created_at"), row.getLong("version"),
				ScheduledState.ofWireName(row.getString("state")), row.getString("claim"), row.getInt("attempts"),
				sent ? position : null, row.getString("code"), row.getString("reason"));
	}

}
