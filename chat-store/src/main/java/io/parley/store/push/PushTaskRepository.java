package io.parley.store.push;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
 * Stores the pending notifications: at most one task for each user, room and thread.
 * Several workers take tasks at once without waiting for each other. A task that a worker
 * has not finished in time is taken again.
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
			WHERE username = ? AND room_id = ? AND thread = ?""";

	private static final String INSERT = """
			INSERT INTO push_task (username, room_id, first_position, last_position, messages, mention, sender, text,
			sent_at, due_at, expires_at, attempts, retry_messages, thread)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?)""";

	private static final String DUE = """
			SELECT /*+ INDEX(push_task push_task_due_at) */ * FROM push_task
			WHERE due_at <= ? ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED""";

	private static final String KEYS = " WHERE (username, room_id, thread) IN ";

	private static final String CLAIM = "UPDATE /*+ INDEX(push_task PRIMARY) */ push_task SET claim = ?, due_at = ?"
			+ KEYS;

	private static final String CLAIMED = " WHERE username = ? AND room_id = ? AND thread = ? AND claim = ?";

	private static final String LOCK = """
			SELECT /*+ INDEX(push_task PRIMARY) */ username, room_id, claim, last_position, messages, thread
			FROM push_task""" + KEYS;

	private static final String DELETE = "DELETE /*+ INDEX(push_task PRIMARY) */ FROM push_task";

	private static final String RENEW = "UPDATE push_task SET due_at = ?" + CLAIMED;

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
	 * Adds tasks, merged into existing tasks of the same user, room and thread. An
	 * existing task keeps its due time, unless the user is mentioned now and the task was
	 * neither taken nor attempted. A task shows its newest message, in whatever order
	 * they arrive. Joins the caller's transaction.
	 * @param tasks one for each user, room and thread
	 */
	public void merge(Collection<PushTask> tasks) {
		Set<PushKey> known = known(tasks);
		List<PushTask> old = sorted(tasks).stream().filter((task) -> known.contains(task.key())).toList();
		int[] merged = this.jdbc.batchUpdate(MERGE, old.stream().map(PushTaskRepository::merged).toList());
		for (int i = 0; i < merged.length; i++) {
			if (merged[i] == 0) {
				known.remove(old.get(i).key());
			}
		}
		this.jdbc.batchUpdate(INSERT,
				sorted(tasks).stream()
					.filter((task) -> !known.contains(task.key()))
					.map(PushTaskRepository::inserted)
					.toList());
	}

	/**
	 * Returns the keys of existing tasks. Most tasks are new, and an update of a row that
	 * does not exist costs as much as an insertion.
	 */
	private Set<PushKey> known(Collection<PushTask> tasks) {
		Set<PushKey> known = new HashSet<>();
		for (List<PushTask> chunk : Chunks.of(tasks)) {
			known.addAll(this.jdbc.query(
					"SELECT username, room_id, thread FROM push_task" + KEYS + Chunks.triples(chunk),
					(row, index) -> new PushKey(row.getString(1), row.getString(2), row.getLong(3)), keys(chunk)));
		}
		return known;
	}

	private static List<PushTask> sorted(Collection<PushTask> tasks) {
		return tasks.stream().sorted(PushTask.ORDER).toList();
	}

	/** Returns the keys, preceded by other arguments. */
	private static Object[] keys(List<PushTask> tasks, Object... others) {
		return Stream
			.concat(Stream.of(others),
					tasks.stream().flatMap((task) -> Stream.of(task.username(), task.room(), task.thread())))
			.toArray();
	}

	private static Object[] merged(PushTask task) {
		return new Object[] { task.lastPosition(), task.sender(), task.lastPosition(), task.text(),
				UtcTime.of(task.sentAt()), task.firstPosition(), task.lastPosition(), task.messages(), task.mention(),
				UtcTime.of(task.expiresAt()), task.mention(), UtcTime.of(task.dueAt()), task.username(), task.room(),
				task.thread() };
	}

	private static Object[] inserted(PushTask task) {
		return new Object[] { task.username(), task.room(), task.firstPosition(), task.lastPosition(), task.messages(),
				task.mention(), task.sender(), task.text(), UtcTime.of(task.sentAt()), UtcTime.of(task.dueAt()),
				UtcTime.of(task.expiresAt()), task.thread() };
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
			for (List<PushTask> chunk : Chunks.of(due)) {
				this.jdbc.update(CLAIM + Chunks.triples(chunk), keys(chunk, claim, UtcTime.of(until)));
			}
			return due;
		});
		return (taken != null) ? taken : List.of();
	}

	/** Extends a claim: others cannot take its unfinished tasks before the given time. */
	public void renew(String claim, Instant until) {
		List<Object[]> claimed = this.jdbc.query(
				"SELECT username, room_id, thread FROM push_task WHERE claim = ? ORDER BY username, room_id, thread",
				(row, index) -> new Object[] { UtcTime.of(until), row.getString(1), row.getString(2), row.getLong(3),
						claim },
				claim);
		this.jdbc.batchUpdate(RENEW, claimed);
	}

	/**
	 * Locks these tasks until the caller's transaction ends. Must be called before
	 * {@link #done}, {@link #retry} and {@link #postpone}, which are called one after the
	 * other: only then are all tasks locked in one order.
	 */
	public void lock(Collection<PushTask> tasks) {
		locked(tasks);
	}

	/** Locks these tasks and returns those that still exist, with their claims. */
	private Map<PushKey, Locked> locked(Collection<PushTask> tasks) {
		Map<PushKey, Locked> locked = new HashMap<>();
		for (List<PushTask> chunk : Chunks.of(sorted(tasks))) {
			this.jdbc.query(LOCK + Chunks.triples(chunk) + " ORDER BY username, room_id, thread FOR UPDATE", (row) -> {
				locked.put(new PushKey(row.getString(1), row.getString(2), row.getLong(6)),
						new Locked(row.getString(3), row.getLong(4), row.getInt(5)));
			}, keys(chunk));
		}
		return locked;
	}

	private record Locked(@Nullable String claim, long lastPosition, int messages) {
	}

	/**
	 * Completes tasks: all messages that were taken are decided. Messages that have
	 * arrived in the meantime are due after a pause, or now if the user is mentioned in
	 * them. Joins the caller's transaction, as do {@link #retry} and {@link #postpone}.
	 */
	public void done(Collection<PushTask> tasks, String claim, Instant now, Duration pause) {
		Map<PushKey, Locked> locked = locked(tasks);
		List<PushTask> unchanged = new ArrayList<>();
		List<Object[]> grown = new ArrayList<>();
		for (PushTask task : tasks) {
			Locked row = locked.get(task.key());
			if (row != null && claim.equals(row.claim())) {
				if (row.lastPosition() == task.lastPosition() && row.messages() == task.messages()) {
					unchanged.add(task);
				}
				else {
					grown.add(new Object[] { task.messages(), task.lastPosition(), task.lastPosition() + 1,
							task.newsPosition(), task.newsPosition(), UtcTime.of(now), UtcTime.of(now.plus(pause)),
							task.username(), task.room(), task.thread(), claim });
				}
			}
		}
		for (List<PushTask> chunk : Chunks.of(unchanged)) {
			this.jdbc.update(DELETE + KEYS + Chunks.triples(chunk), keys(chunk));
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
					this.task.username(), this.task.room(), this.task.thread(), claim };
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
					this.task.room(), this.task.thread(), claim };
		}

	}

	/** Returns the pending task of a user and a room, for messages of the room itself. */
	public Optional<PushTask> pending(String username, String room) {
		return pending(new PushKey(username, room));
	}

	public Optional<PushTask> pending(PushKey key) {
		return pending(List.of(key)).stream().findFirst();
	}

	/** Returns the pending tasks of these users, rooms and threads, in any order. */
	public List<PushTask> pending(Collection<PushKey> keys) {
		return Chunks.of(keys)
			.stream()
			.flatMap((chunk) -> this.jdbc.query("SELECT * FROM push_task" + KEYS + Chunks.triples(chunk), MAPPER,
					chunk.stream()
						.flatMap((key) -> Stream.<Object>of(key.username(), key.room(), key.thread()))
						.toArray())
				.stream())
			.toList();
	}

	/** Returns when the task that has waited longest was or will be due. */
	public Optional<Instant> oldestDue() {
		return this.jdbc
			.query("SELECT due_at FROM push_task ORDER BY due_at LIMIT 1", (row, number) -> UtcTime.read(row, "due_at"))
			.stream()
			.findFirst();
	}

	/** Returns the number of tasks, due or not. */
	public long count() {
		Long count = this.jdbc.queryForObject("SELECT COUNT(*) FROM push_task", Long.class);
		return (count != null) ? count : 0;
	}

}
