package io.parley.store.push;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
public class PushTasks {

	private static final String MERGE = """
			UPDATE push_task SET last_position = ?, messages = messages + ?, mention = GREATEST(mention, ?), sender = ?,
			text = ?, expires_at = GREATEST(expires_at, ?),
			due_at = CASE WHEN ? > 0 AND claim IS NULL AND attempts = 0 THEN LEAST(due_at, ?) ELSE due_at END
			WHERE username = ? AND room_id = ?""";

	private static final String INSERT = """
			INSERT INTO push_task (last_position, messages, mention, sender, text, username, room_id,
			first_position, due_at, expires_at, attempts, retry_messages) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)""";

	private static final String DUE = """
			SELECT * FROM push_task WHERE due_at <= ? ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED""";

	private static final String CLAIM = "UPDATE push_task SET claim = ?, due_at = ? WHERE username = ? AND room_id = ?";

	private static final String CLAIMED = " WHERE username = ? AND room_id = ? AND claim = ?";

	private static final String DELETE = "DELETE FROM push_task" + CLAIMED + " AND last_position = ?";

	private static final String NEXT = """
			UPDATE push_task SET messages = messages - ?, first_position = ?, attempts = 0, retry_devices = NULL,
			retry_messages = 0, mention = CASE WHEN mention > ? THEN mention ELSE 0 END,
			due_at = CASE WHEN mention > ? THEN ? ELSE ? END, claim = NULL""" + CLAIMED;

	private static final String RETRY = """
			UPDATE push_task SET messages = messages - ?, attempts = attempts + 1, retry_devices = ?,
			retry_messages = ?, due_at = ?, claim = NULL""" + CLAIMED;

	private static final String POSTPONE = "UPDATE push_task SET due_at = ?, expires_at = ?, claim = NULL" + CLAIMED;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	PushTasks(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * Adds tasks to those that are there for the same user and room; they stay due when
	 * they were, unless the user is mentioned now and nothing was tried yet. Joins the
	 * caller's transaction.
	 * @param tasks one for each user and room
	 */
	public void merge(Collection<PushTask> tasks) {
		List<PushTask> all = List.copyOf(tasks);
		int[] merged = this.jdbc.batchUpdate(MERGE, all.stream().map(PushTasks::merged).toList());
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
		return new Object[] { task.lastPosition(), task.messages(), mention(task), task.sender(), task.text(),
				UtcTime.of(task.expiresAt()), mention(task), UtcTime.of(task.dueAt()), task.username(), task.room() };
	}

	private static Object[] inserted(PushTask task) {
		return new Object[] { task.lastPosition(), task.messages(), mention(task), task.sender(), task.text(),
				task.username(), task.room(), task.firstPosition(), UtcTime.of(task.dueAt()),
				UtcTime.of(task.expiresAt()) };
	}

	/**
	 * Takes tasks that are due, those first that have waited longest.
	 * @param claim names this taking; to be unique
	 * @param until when others may take them again
	 */
	public List<PushTask> take(int limit, Instant now, String claim, Instant until) {
		List<PushTask> taken = this.transaction.execute((status) -> {
			List<PushTask> due = this.jdbc.query(DUE, PushTasks::task, UtcTime.of(now), limit);
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
		this.jdbc.update("UPDATE push_task SET due_at = ? WHERE claim = ?", UtcTime.of(until), claim);
	}

	/**
	 * Everything that was taken is decided. What has come in the meantime is due after a
	 * pause, or now when the user is mentioned in it. Joins the caller's transaction, as
	 * do the other ends.
	 */
	public void done(Collection<PushTask> tasks, String claim, Instant now, Duration pause) {
		List<PushTask> all = List.copyOf(tasks);
		int[] deleted = this.jdbc.batchUpdate(DELETE,
				all.stream()
					.map((task) -> new Object[] { task.username(), task.room(), claim, task.lastPosition() })
					.toList());
		List<Object[]> grown = new ArrayList<>();
		for (int i = 0; i < deleted.length; i++) {
			if (deleted[i] == 0) {
				PushTask task = all.get(i);
				grown.add(new Object[] { task.messages(), task.lastPosition() + 1, task.lastPosition(),
						task.lastPosition(), UtcTime.of(now), UtcTime.of(now.plus(pause)), task.username(), task.room(),
						claim });
			}
		}
		this.jdbc.batchUpdate(NEXT, grown);
	}

	/** Some devices are to be tried again; the others know all that was taken. */
	public void retry(Collection<Retry> retries, String claim) {
		this.jdbc.batchUpdate(RETRY, retries.stream().map((retry) -> retry.values(claim)).toList());
	}

	/** Nothing was decided yet. */
	public void postpone(Collection<Postponement> postponements, String claim) {
		this.jdbc.batchUpdate(POSTPONE, postponements.stream().map((later) -> later.values(claim)).toList());
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

	/** What is decided later. */
	public record Postponement(PushTask task, Instant due, Instant expiresAt) {

		private Object[] values(String claim) {
			return new Object[] { UtcTime.of(this.due), UtcTime.of(this.expiresAt), this.task.username(),
					this.task.room(), claim };
		}

	}

	/** What is still to be told to a user about a room. */
	public Optional<PushTask> pending(String username, String room) {
		return this.jdbc
			.query("SELECT * FROM push_task WHERE username = ? AND room_id = ?", PushTasks::task, username, room)
			.stream()
			.findFirst();
	}

	/** How many tasks there are, due or not. */
	public long count() {
		Long count = this.jdbc.queryForObject("SELECT COUNT(*) FROM push_task", Long.class);
		return (count != null) ? count : 0;
	}

	private static PushTask task(ResultSet row, int index) throws SQLException {
		return new PushTask(row.getString("username"), row.getString("room_id"), row.getLong("first_position"),
				row.getLong("last_position"), row.getInt("messages"), row.getLong("mention") > 0,
				row.getString("sender"), row.getString("text"), UtcTime.read(row, "due_at"),
				UtcTime.read(row, "expires_at"), row.getInt("attempts"), devices(row.getString("retry_devices")),
				row.getInt("retry_messages"));
	}

	private static Set<String> devices(@Nullable String list) {
		return (list != null && !list.isEmpty()) ? Set.of(list.split(",")) : Set.of();
	}

}
