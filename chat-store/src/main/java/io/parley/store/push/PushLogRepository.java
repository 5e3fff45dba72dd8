package io.parley.store.push;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/** Stores each decision about a push and each answer of the provider. */
public class PushLogRepository {

	/**
	 * An id has 41 bits of milliseconds and 22 bits of a counter. The milliseconds come
	 * first, so that old entries are adjacent.
	 */
	private static final int NUMBER_BITS = 22;

	private static final int MAX_DETAIL = 500;

	private static final int DELETE_ROWS = 10_000;

	private final JdbcTemplate jdbc;

	/** Starts at a random number, so that two processes use different ones. */
	private final AtomicInteger number = new AtomicInteger(ThreadLocalRandom.current().nextInt(1 << NUMBER_BITS));

	PushLogRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Adds entries in one batch. Joins the caller's transaction. */
	public void add(Collection<PushLogEntry> entries) {
		this.jdbc.batchUpdate("""
				INSERT INTO push_log (id, username, room_id, first_position, last_position, decided_at, outcome,
				device_id, platform, detail, thread) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
				entries.stream().map(this::values).toList());
	}

	private @Nullable Object[] values(PushLogEntry entry) {
		Device.Platform platform = entry.platform();
		String detail = entry.detail();
		return new @Nullable Object[] { firstId(entry.at()) | this.number.getAndIncrement() & ((1 << NUMBER_BITS) - 1),
				entry.username(), entry.room(), entry.firstPosition(), entry.lastPosition(), UtcTime.of(entry.at()),
				entry.outcome().name(), entry.deviceId(), (platform != null) ? platform.name() : null,
				detail.substring(0, Math.min(MAX_DETAIL, detail.length())), entry.thread() };
	}

	private static long firstId(Instant time) {
		return time.toEpochMilli() << NUMBER_BITS;
	}

	/**
	 * Returns the entries about a message for a user, the oldest first, at most 1,000.
	 * @param key the user, and the room or thread of the message
	 */
	public List<PushLogEntry> about(PushKey key, long position) {
		return this.jdbc.query("""
				SELECT * FROM push_log WHERE username = ? AND room_id = ? AND last_position >= ? AND first_position <= ?
				AND thread = ? ORDER BY id LIMIT 1000""", PushLogRepository::entry, key.username(), key.room(),
				position, position, key.thread());
	}

	/**
	 * Returns the entries about messages at or above a position, in any order.
	 * @param positions the position, by user, room and thread
	 */
	public List<PushLogEntry> since(Map<PushKey, Long> positions) {
		String one = "SELECT * FROM push_log WHERE username = ? AND room_id = ? AND last_position >= ? AND thread = ?";
		return Chunks.of(positions.entrySet())
			.stream()
			.flatMap((chunk) -> this.jdbc.query(Chunks.union(one, chunk.size()), PushLogRepository::entry,
					chunk.stream()
						.<Object>mapMulti((entry, sink) -> List
							.<Object>of(entry.getKey().username(), entry.getKey().room(), entry.getValue(),
									entry.getKey().thread())
							.forEach(sink))
						.toArray())
				.stream())
			.toList();
	}

	/** Returns the latest entries about a room for a user, the newest first. */
	public List<PushLogEntry> latest(String username, String room, int limit) {
		return this.jdbc.query("SELECT * FROM push_log WHERE username = ? AND room_id = ? ORDER BY id DESC LIMIT ?",
				PushLogRepository::entry, username, room, limit);
	}

	/** Returns the time of the oldest entry that is still stored, for any user. */
	public Optional<Instant> oldest() {
		Long id = this.jdbc.queryForObject("SELECT MIN(id) FROM push_log", Long.class);
		return Optional.ofNullable(id).map((oldest) -> Instant.ofEpochMilli(oldest >> NUMBER_BITS));
	}

	/**
	 * Removes entries older than that, in several statements.
	 * @return the number of removed entries
	 */
	public int removeBefore(Instant time) {
		int removed = 0;
		Long last = lastIdOfOldest(time);
		while (last != null) {
			removed += this.jdbc.update("DELETE FROM push_log WHERE id <= ?", last);
			last = lastIdOfOldest(time);
		}
		return removed;
	}

	private @Nullable Long lastIdOfOldest(Instant time) {
		return this.jdbc.queryForObject(
				"SELECT MAX(id) FROM (SELECT id FROM push_log WHERE id < ? ORDER BY id LIMIT ?) oldest", Long.class,
				firstId(time), DELETE_ROWS);
	}

	private static PushLogEntry entry(ResultSet row, int index) throws SQLException {
		String platform = row.getString("platform");
		return new PushLogEntry(row.getString("username"), row.getString("room_id"), row.getLong("first_position"),
				row.getLong("last_position"), UtcTime.read(row, "decided_at"),
				PushLogEntry.Outcome.valueOf(row.getString("outcome")), row.getString("device_id"),
				(platform != null) ? Device.Platform.valueOf(platform) : null, row.getString("detail"),
				row.getLong("thread"));
	}

}
