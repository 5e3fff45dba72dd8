package io.parley.store.push;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What is to be told to whom: at most one task for each user and room. Several workers
 * take tasks at once; none waits for another, and a task that a worker has not finished
 * in time is taken again.
 */
public class PushTaskRepository {

	/**
	 * MySQL assigns from left to right, so the position comes after what depends on it.
	 */
	private static final String MERGE = """
			UPDATE push_task SET sender = CASE WHEN ? >= last_position THEN ? ELSE sender END,
			text = CASE WHEN ? >= last_position THEN ? ELSE text END, sent_at = GREATEST(sent_at, ?),
			first_position = LEAST(first_position, ?), last_position = GREATEST(last_position, ?),
			messages = messages + ?, mention = GREATEST(mention, ?), expires_at = GREATEST(expires_at, ?),
			due_at = CASE WHEN ? > 0 AND claim IS NULL AND attempts = 0 THEN LEAST(due_at, ?) ELSE due_at END
			WHERE username = ? AND room_id = ?""";

	private static final String INSERT = """
			INSERT INTO push_task (username, room_id, first_position, last_position, messages, mention, sender, text,
			sent_at, due_at, expires_at, attempts, retry_messages) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)""";

	private static final String DUE = """
			SELECT * FROM push_task WHERE due_at <= ? ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED""";

	private static final String CLAIM = "UPDATE push_task SET claim = ?, due_at = ? WHERE username = ? AND room_id = ?";

	private static final String CLAIMED = " WHERE username = ? AND room_id = ? AND claim = ?";

	private static final String HOLD = "UPDATE push_task SET claim = claim" + CLAIMED;

	private static final String RENEW = "UPDATE push_task SET due_at = ?" + CLAIMED;

	private static final String DELETE = "DELETE FROM push_task" + CLAIMED + " AND last_position = ? AND messages = ?";

	private static final String NEXT = """
			UPDATE push_task SET messages = messages - ?,
			first_position = CASE WHEN last_position > ? THEN ? ELSE first_position END, attempts = 0,
			retry_devices = NULL, retry_messages = 0, waits_since = NULL,
			mention = CASE WHEN mention > ? THEN mention ELSE 0 END,
			due_at = CASE WHEN mention > ? THEN ? ELSE ? END, claim = NULL""" + CLAIMED;

	private static final String RETRY = """
			UPDATE push_task SET messages = messages - ?, attempts = attempts + 1, retry_devices = ?,
			retry_messages = ?, due_at = ?, waits_since = NULL, claim = NULL""" + CLAIMED;

	private static final String POSTPONE = """
			UPDATE push_task SET due_at = ?, expires_at = ?, waits_since = ?, claim = NULL""" + CLAIMED;

	private static final PushTaskMapper MAPPER = new PushTaskMapper();

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	PushTaskRepository(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * Adds tasks to those that are there for the same user and room; they stay due when
	 * they were, unless the user is mentioned now and nothing was tried yet. A task shows
	 * its newest message, in whatever order they come. Joins the caller's transaction.
	 * @param tasks one for each user and room
	 */
	public void merge(Collection<PushTask> tasks) {
		List<PushTask> all = tasks.stream().sorted(PushTask.ORDER).toList();
		int[] merged = this.jdbc.batchUpdate(MERGE, all.stream().map(PushTaskRepository::merged).toList());
		List<Object[]> fresh = new ArrayList<>();
		for (int i = 0; i < merged.length; i++) {
			if (merged[i] == 0) {
				fresh.add(inserted(all.get(i)));
			}
		}
		this.jdbc.batchUpdate(INSERT, fresh);
	}

	private static long mention(PushTask task) {
		return task.mentioned() ? task.lastPosition() : 0;
	}

	private static Object[] merged(PushTask task) {
		return new Object[] { task.lastPosition(), task.sender(), task.lastPosition(), task.text(),
				UtcTime.of(task.sentAt()), task.firstPosition(), task.lastPosition(), task.messages(), mention(task),
				UtcTime.of(task.expiresAt()), mention(task), UtcTime.of(task.dueAt()), task.username(), task.room() };
	}

	private static Object[] inserted(PushTask task) {
		return new Object[] { task.username(), task.room(), task.firstPosition(), task.lastPosition(), task.messages(),
				mention(task), task.sender(), task.text(), UtcTime.of(task.sentAt()), UtcTime.of(task.dueAt()),
				UtcTime.of(task.expiresAt()) };
	}

	/**
	 * Takes tasks that are due, those first that have waited longest. Waits for no task
	 * that another one holds.
	 * @param claim names this taking; to be unique
	 * @param until when others may take them again
	 */
	public List<PushTask> take(int limit, Instant now, String claim, Instant until) {
		List<PushTask> taken = this.transaction.execute((status) -> {
			List<PushTask> due = this.jdbc.query(DUE, MAPPER, UtcTime.of(now), limit);
			this.jdbc.batchUpdate(CLAIM,
					due.stream()
						.map((task) -> new Object[] { claim, UtcTime.of(until), task.username(), task.room() })
						.toList());
			return due;
		});
		return (taken != null) ? taken : List.of();
	}

	/** Keeps what was taken and is not finished from others for longer. */
	public void renew(String claim, Instant until) {
		List<Object[]> claimed = this.jdbc.query(
				"SELECT username, room_id FROM push_task WHERE claim = ? ORDER BY username, room_id",
				(row, index) -> new Object[] { UtcTime.of(until), row.getString(1), row.getString(2), claim }, claim);
		this.jdbc.batchUpdate(RENEW, claimed);
	}

	/**
	 * Keeps others from changing these tasks until the caller's transaction ends. To be
	 * called before the ends below, which write one kind of end after the other: only so
	 * all tasks are locked in one order.
	 */
	public void hold(Collection<PushTask> tasks, String claim) {
		this.jdbc.batchUpdate(HOLD,
				tasks.stream()
					.sorted(PushTask.ORDER)
					.map((task) -> new Object[] { task.username(), task.room(), claim })
					.toList());
	}

	/**
	 * Everything that was taken is decided. What has come in the meantime is due after a
	 * pause, or now when the user is mentioned in it. Joins the caller's transaction, as
	 * do the other ends.
	 */
	public void done(Collection<PushTask> tasks, String claim, Instant now, Duration pause) {
		List<PushTask> all = tasks.stream().sorted(PushTask.ORDER).toList();
		int[] deleted = this.jdbc.batchUpdate(DELETE, all.stream()
			.map((task) -> new Object[] { task.username(), task.room(), claim, task.lastPosition(), task.messages() })
			.toList());
		List<Object[]> grown = new ArrayList<>();
		for (int i = 0; i < deleted.length; i++) {
			if (deleted[i] == 0) {
				PushTask task = all.get(i);
				grown.add(new Object[] { task.messages(), task.lastPosition(), task.lastPosition() + 1,
						task.lastPosition(), task.lastPosition(), UtcTime.of(now), UtcTime.of(now.plus(pause)),
						task.username(), task.room(), claim });
			}
		}
		this.jdbc.batchUpdate(NEXT, grown);
	}

	/** Some devices are to be tried again; the others know all that was taken. */
	public void retry(Collection<Retry> retries, String claim) {
		this.jdbc.batchUpdate(RETRY,
				retries.stream()
					.sorted(Comparator.comparing(Retry::task, PushTask.ORDER))
					.map((retry) -> retry.values(claim))
					.toList());
	}

	/** Nothing was decided yet. */
	public void postpone(Collection<Postponement> postponements, String claim) {
		this.jdbc.batchUpdate(POSTPONE,
				postponements.stream()
					.sorted(Comparator.comparing(Postponement::task, PushTask.ORDER))
					.map((later) -> later.values(claim))
					.toList());
	}

	/**
	 * What some devices have not taken.
	 *
	 * @param devices their {@link Device#id}
	 */
	public record Retry(PushTask task, Set<String> devices, Instant due) {

		private Object[] values(String claim) {
			int missed = this.devices.stream().mapToInt(this.task::messagesFor).max().orElse(0);
			return new Object[] { this.task.messages(), String.join(",", this.devices), missed, UtcTime.of(this.due),
					this.task.username(), this.task.room(), claim };
		}

	}

	/**
	 * What is decided later.
	 *
	 * @param waitsSince as {@link PushTask#waitsSince}
	 */
	public record Postponement(PushTask task, Instant due, Instant expiresAt, @Nullable Instant waitsSince) {

		private @Nullable Object[] values(String claim) {
			return new @Nullable Object[] { UtcTime.of(this.due), UtcTime.of(this.expiresAt),
					(this.waitsSince != null) ? UtcTime.of(this.waitsSince) : null, this.task.username(),
					this.task.room(), claim };
		}

	}

	/** What is still to be told to a user about a room. */
	public Optional<PushTask> pending(String username, String room) {
		return pending(List.of(new PushKey(username, room))).stream().findFirst();
	}

	/**
	 * What is still to be told to these users about these rooms, in any order.
	 * @param keys user and room of each
	 */
	public List<PushTask> pending(Collection<PushKey> keys) {
		String one = "SELECT * FROM push_task WHERE username = ? AND room_id = ?";
		return Chunks.of(keys)
			.stream()
			.flatMap((chunk) -> this.jdbc
				.query(Chunks.union(one, chunk.size()), MAPPER,
						chunk.stream().flatMap((key) -> Stream.of(key.username(), key.room())).toArray())
				.stream())
			.toList();
	}

	/** How many tasks there are, due or not. */
	public long count() {
		Long count = this.jdbc.queryForObject("SELECT COUNT(*) FROM push_task", Long.class);
		return (count != null) ? count : 0;
	}

}
