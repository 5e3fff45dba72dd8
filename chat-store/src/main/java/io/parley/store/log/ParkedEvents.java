package io.parley.store.log;

import io.parley.store.UtcTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/** Records that a reader could not use, kept with the reason so that it can go on. */
public class ParkedEvents {

	private static final Logger logger = LoggerFactory.getLogger(ParkedEvents.class);

	private static final int MAX_REASON = 1000;

	private static final String INSERT = """
			INSERT INTO parked_event (reader, partition_no, epoch, record_offset, reason, record, parked_at)
			VALUES (?, ?, ?, ?, ?, ?, ?)""";

	private final JdbcTemplate jdbc;

	ParkedEvents(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Parks a record; joins the caller's transaction.
	 * @param reason cut after 1,000 characters
	 */
	public void park(String reader, int partition, long epoch, long offset, String reason, byte[] record) {
		String shortReason = reason.substring(0, Math.min(MAX_REASON, reason.length()));
		// Without the reason, which may quote what somebody wrote.
		logger.warn("Reader '{}' parks the record at offset {} of partition {}; parked_event says why", reader, offset,
				partition);
		this.jdbc.update(INSERT, reader, partition, epoch, offset, shortReason, record, UtcTime.now());
	}

	/** How many records the reader has parked. */
	public long count(String reader) {
		Long count = this.jdbc.queryForObject("SELECT COUNT(*) FROM parked_event WHERE reader = ?", Long.class, reader);
		return (count != null) ? count : 0;
	}

}
