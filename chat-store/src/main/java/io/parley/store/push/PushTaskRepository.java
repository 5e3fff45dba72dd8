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
 * Stores the pending notifications: at most one task for each user and room. Several
 * workers take tasks at once without waiting for each other. A task that a worker has not
 * finished in time is taken again.
 */
public class PushTaskRepository {

	/**
	 * MySQL assigns from left to right, so the position comes after the columns that
	 * depend on it.
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

	private static final String LOCK = "UPDATE push_task SET claim = claim" + CLAIMED;

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
	 * Adds tasks, merged into existing tasks of the same user and room. An existing task
	 * keeps its due time, unless the user is mentioned now and the task was neither taken
	 * nor attempted. A task shows its newest message, in whatever order they arrive.
	 * Joins the caller's transaction.
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
	 * Takes tasks that are due, those that have waited longest first. Skips tasks that
	 * another caller has locked.
	 * @param claim a unique name of this claim
	 * @param until when others may take the tasks again
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

	/** Extends a claim: others cannot take its unfinished tasks before the given time. */
	public void renew(String claim, Instant until) {
		List<Object[]> claimed = this.jdbc.query(
				"SELECT username, room_id FROM push_task WHERE claim = ? ORDER BY username, room_id",
				(row, index) -> new Object[] { UtcTime.of(until), row.getString(1), row.getString(2), claim }, claim);
		this.jdbc.batchUpdate(RENEW, claimed);
	}

	/**
	 * Locks these tasks until the caller's transaction ends. Must be called before
	 * {@link #done}, {@link #retry} and {@link #postpone}, which are called one after the
	 * other: only then are all tasks locked in one order.
	 */
	public void lock(Collection<PushTask> tasks, String claim) {
		this.jdbc.batchUpdate(LOCK,
				tasks.stream()
					.sorted(PushTask.ORDER)
					.map((task) -> new Object[] { task.username(), task.room(), claim })
					.toList());
	}

	/**
	 * Completes tasks: all messages that were taken are decided. Messages that have
	 * arrived in the meantime are due after a pause, or now if the user is mentioned in
	 * them. Joins the caller's transaction, as do {@link #retry} and {@link #postpone}.
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

	/**
	 * Schedules a retry for some devices. The other devices have received all messages
	 * that were taken.
	 */
	public void retry(Collection<Retry> retries, String claim) {
		this.jdbc.batchUpdate(RETRY,
				retries.stream()
					.sorted(Comparator.comparing(Retry::task, PushTask.ORDER))
					.map((retry) -> retry.values(claim))
					.toList());
	}

	/** Postpones tasks about which nothing was decided yet. */
	public void postpone(Collection<Postponement> postponements, String claim) {
		this.jdbc.batchUpdate(POSTPONE,
				postponements.stream()
					.sorted(Comparator.comparing(Postponement::task, PushTask.ORDER))
					.map((later) -> later.values(claim))
					.toList());
	}

	/**
	 * A task that some devices have not accepted.
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
	 * A task that is decided later.
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

	/** Returns the pending task of a user and a room. */
	public Optional<PushTask> pending(String username, String room) {
		return pending(List.of(new PushKey(username, room))).stream().findFirst();
	}

	/**
	 * Returns the pending tasks of these users and rooms, in any order.
	 * @param keys user and room of each task
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

	/** Returns the number of tasks, due or not. */
	public long count() {
		Long count = this.jdbc.queryForObject("SELECT COUNT(*) FROM push_task", Long.class);
		return (count != null) ? count : 0;
	}

}
