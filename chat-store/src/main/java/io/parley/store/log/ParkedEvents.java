package io.parley.store.log;

import java.time.Instant;
import java.util.List;

import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores records that a reader could not process, with the reason, so that the reader can
 * continue.
 */
public class ParkedEvents {

	private static final Logger logger = LoggerFactory.getLogger(ParkedEvents.class);

	private static final int MAX_REASON = 1000;

	private static final String INSERT = """
			INSERT INTO parked_event (reader, partition_no, epoch, record_offset, reason, record, parked_at)
			VALUES (?, ?, ?, ?, ?, ?, ?)""";

	private static final String PAGE = """
			SELECT partition_no, epoch, record_offset, reason, record FROM parked_event
			WHERE reader = ? AND (epoch > ? OR epoch = ? AND partition_no > ?
			OR epoch = ? AND partition_no = ? AND record_offset > ?)
			ORDER BY epoch, partition_no, record_offset LIMIT ?""";

	private static final String LIST = """
			SELECT partition_no, epoch, record_offset, reason, OCTET_LENGTH(record), parked_at FROM parked_event
			WHERE reader = ? ORDER BY epoch DESC, record_offset DESC, partition_no LIMIT ?""";

	private static final String DELETE = """
			DELETE FROM parked_event WHERE reader = ? AND partition_no = ? AND epoch = ? AND record_offset = ?""";

	private final JdbcTemplate jdbc;

	ParkedEvents(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Parks a record. Joins the caller's transaction.
	 * @param reason truncated to 1,000 characters
	 */
	public void park(String reader, int partition, long epoch, long offset, String reason, byte[] record) {
		String shortReason = reason.substring(0, Math.min(MAX_REASON, reason.length()));
		// The reason is not logged: it may quote what a user wrote.
		logger.warn("Reader '{}' parks the record at offset {} of partition {}; see the table parked_event", reader,
				offset, partition);
		this.jdbc.update(INSERT, reader, partition, epoch, offset, shortReason, record, UtcTime.now());
	}

	/**
	 * A parked record.
	 *
	 * @param reason why it was parked
	 */
	public record Parked(int partition, long epoch, long offset, String reason, byte[] data) {
	}

	/**
	 * Returns the next records that the reader has parked, ordered by epoch, partition
	 * and offset.
	 * @param after the last record of the previous page, or null for the first page
	 */
	public List<Parked> page(String reader, @Nullable Parked after, int limit) {
		long epoch = (after != null) ? after.epoch() : 0;
		int partition = (after != null) ? after.partition() : 0;
		long offset = (after != null) ? after.offset() : -1;
		return this.jdbc.query(PAGE, (row, index) -> new Parked(row.getInt(1), row.getLong(2), row.getLong(3),
				row.getString(4), row.getBytes(5)), reader, epoch, epoch, partition, epoch, partition, offset, limit);
	}

	/**
	 * A parked record without its data.
	 *
	 * @param reason why it was parked; may quote what a user wrote
	 * @param bytes the size of the record
	 */
	public record Summary(int partition, long epoch, long offset, String reason, int bytes, Instant parkedAt) {
	}

	/**
	 * Returns the newest records that the reader has parked, the newest of the log first.
	 */
	public List<Summary> newest(String reader, int limit) {
		return this.jdbc.query(LIST, (row, index) -> new Summary(row.getInt(1), row.getLong(2), row.getLong(3),
				row.getString(4), row.getInt(5), UtcTime.read(row, "parked_at")), reader, limit);
	}

	/** Removes a parked record. Joins the caller's transaction. */
	public void remove(String reader, Parked parked) {
		this.jdbc.update(DELETE, reader, parked.partition(), parked.epoch(), parked.offset());
	}

	/** Returns the number of records that the reader has parked. */
	public long count(String reader) {
		Long count = this.jdbc.queryForObject("SELECT COUNT(*) FROM parked_event WHERE reader = ?", Long.class, reader);
		return (count != null) ? count : 0;
	}

}
