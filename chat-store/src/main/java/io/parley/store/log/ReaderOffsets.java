package io.parley.store.log;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores the next offset of each reader of the log. A reader commits its offset in the
 * transaction in which it writes, so that it neither skips nor repeats a record.
 */
public class ReaderOffsets {

	/** The reader that stores the events. */
	public static final String PERSISTENCE = "persistence";

	private static final String SELECT = """
			SELECT epoch, next_offset FROM reader_offset WHERE reader = ? AND partition_no = ?""";

	private static final String UPDATE = """
			UPDATE reader_offset SET epoch = ?, next_offset = ?
			WHERE reader = ? AND partition_no = ? AND epoch <= ?""";

	private static final String INSERT = """
			INSERT INTO reader_offset (epoch, next_offset, reader, partition_no) VALUES (?, ?, ?, ?)""";

	private final JdbcTemplate jdbc;

	ReaderOffsets(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Returns the offset that the reader reads next: 0 if it has read nothing of this
	 * epoch.
	 * @throws NewerEpochException if the reader has already reached a newer epoch
	 */
	public long next(String reader, int partition, long epoch) {
		return next(SELECT, reader, partition, epoch);
	}

	/**
	 * Returns the offset that the reader reads next, by partition. Partitions of which it
	 * has read nothing in this epoch are missing.
	 * @throws NewerEpochException if the reader has already reached a newer epoch
	 */
	public Map<Integer, Long> next(String reader, long epoch) {
		Map<Integer, Long> offsets = new HashMap<>();
		this.jdbc.query("SELECT partition_no, epoch, next_offset FROM reader_offset WHERE reader = ?", (row) -> {
			Stored stored = new Stored(row.getLong(2), row.getLong(3));
			if (stored.epoch >= epoch) {
				offsets.put(row.getInt(1), offset(stored, reader, epoch));
			}
		}, reader);
		return offsets;
	}

	/**
	 * Does the same as {@link #next(String, int, long)}, and prevents others from
	 * committing an offset of this reader and partition until the caller's transaction
	 * ends.
	 * @throws NewerEpochException if the reader has already reached a newer epoch
	 */
	public long lock(String reader, int partition, long epoch) {
		return next(SELECT + " FOR UPDATE", reader, partition, epoch);
	}

	private long next(String sql, String reader, int partition, long epoch) {
		Stored stored = this.jdbc
			.query(sql, (row, index) -> new Stored(row.getLong(1), row.getLong(2)), reader, partition)
			.stream()
			.findFirst()
			.orElse(null);
		return offset(stored, reader, epoch);
	}

	private static long offset(@Nullable Stored stored, String reader, long epoch) {
		if (stored == null || stored.epoch < epoch) {
			return 0;
		}
		if (stored.epoch > epoch) {
			throw new NewerEpochException(reader, epoch, stored.epoch);
		}
		return stored.next;
	}

	/**
	 * Stores the offset that the reader reads next. Joins the caller's transaction.
	 * @throws DataAccessException if the offset can't be stored, also if the reader has
	 * already reached a newer epoch
	 */
	public void commit(String reader, int partition, long epoch, long nextOffset) {
		if (this.jdbc.update(UPDATE, epoch, nextOffset, reader, partition, epoch) == 0) {
			this.jdbc.update(INSERT, epoch, nextOffset, reader, partition);
		}
	}

	/**
	 * Returns the lowest of the next offsets of these readers: all of them have read
	 * everything below it.
	 */
	public long lowest(int partition, long epoch, Collection<String> readers) {
		return readers.stream().mapToLong((reader) -> next(reader, partition, epoch)).min().orElse(0);
	}

	private record Stored(long epoch, long next) {
	}

}
