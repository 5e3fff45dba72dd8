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

/** Each decision about a push and each answer of the provider. */
public class PushLogRepository {

	/** Milliseconds in front, so that old entries lie together; 41 + 22 bits. */
	private static final int NUMBER_BITS = 22;

	private static final int MAX_DETAIL = 500;

	private static final int DELETE_ROWS = 10_000;

	private final JdbcTemplate jdbc;

	/** Two processes begin at different numbers. */
	private final AtomicInteger number = new AtomicInteger(ThreadLocalRandom.current().nextInt(1 << NUMBER_BITS));

	PushLogRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Adds entries in one batch; joins the caller's transaction. */
	public void add(Collection<PushLogEntry> entries) {
		this.jdbc.batchUpdate("""
				INSERT INTO push_log (id, username, room_id, first_position, last_position, decided_at, outcome,
				device_id, platform, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
				entries.stream().map(this::values).toList());
	}

	private @Nullable Object[] values(PushLogEntry entry) {
		Device.Platform platform = entry.platform();
		String detail = entry.detail();
		return new @Nullable Object[] { firstId(entry.at()) | this.number.getAndIncrement() & ((1 << NUMBER_BITS) - 1),
				entry.username(), entry.room(), entry.firstPosition(), entry.lastPosition(), UtcTime.of(entry.at()),
				entry.outcome().name(), entry.deviceId(), (platform != null) ? platform.name() : null,
				detail.substring(0, Math.min(MAX_DETAIL, detail.length())) };
	}

	private static long firstId(Instant time) {
		return time.toEpochMilli() << NUMBER_BITS;
	}

	/** What was decided about a message for a user, oldest first. */
	public List<PushLogEntry> about(String username, String room, long position) {
		return this.jdbc.query("""
				SELECT * FROM push_log WHERE username = ? AND room_id = ? AND last_position >= ? AND first_position <= ?
				ORDER BY id LIMIT 1000""", PushLogRepository::entry, username, room, position, position);
	}

	/**
	 * What was decided about messages at or above a position, in any order.
	 * @param positions by user and room
	 */
	public List<PushLogEntry> since(Map<PushKey, Long> positions) {
		String one = "SELECT * FROM push_log WHERE username = ? AND room_id = ? AND last_position >= ?";
		return Chunks.of(positions.entrySet())
			.stream()
			.flatMap((chunk) -> this.jdbc.query(Chunks.union(one, chunk.size()), PushLogRepository::entry,
					chunk.stream()
						.<Object>mapMulti((entry, sink) -> List
							.of(entry.getKey().username(), entry.getKey().room(), entry.getValue())
							.forEach(sink))
						.toArray())
				.stream())
			.toList();
	}

	/** What was decided last about a room for a user, newest first. */
	public List<PushLogEntry> latest(String username, String room, int limit) {
		return this.jdbc.query("SELECT * FROM push_log WHERE username = ? AND room_id = ? ORDER BY id DESC LIMIT ?",
				PushLogRepository::entry, username, room, limit);
	}

	/** When the oldest entry that is still there was made, about whomever. */
	public Optional<Instant> oldest() {
		Long id = this.jdbc.queryForObject("SELECT MIN(id) FROM push_log", Long.class);
		return Optional.ofNullable(id).map((oldest) -> Instant.ofEpochMilli(oldest >> NUMBER_BITS));
	}

	/** Forgets entries older than that, some at a time; returns how many. */
	public int removeBefore(Instant time) {
		int removed = 0;
		Long last = lastOfTheOldest(time);
		while (last != null) {
			removed += this.jdbc.update("DELETE FROM push_log WHERE id <= ?", last);
			last = lastOfTheOldest(time);
		}
		return removed;
	}

	private @Nullable Long lastOfTheOldest(Instant time) {
		return this.jdbc.queryForObject(
				"SELECT MAX(id) FROM (SELECT id FROM push_log WHERE id < ? ORDER BY id LIMIT ?) oldest", Long.class,
				firstId(time), DELETE_ROWS);
	}

	private static PushLogEntry entry(ResultSet row, int index) throws SQLException {
		String platform = row.getString("platform");
		return new PushLogEntry(row.getString("username"), row.getString("room_id"), row.getLong("first_position"),
				row.getLong("last_position"), UtcTime.read(row, "decided_at"),
				PushLogEntry.Outcome.valueOf(row.getString("outcome")), row.getString("device_id"),
				(platform != null) ? Device.Platform.valueOf(platform) : null, row.getString("detail"));
	}

}
