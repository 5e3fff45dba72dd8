package io.parley.store.log;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How far each reader of the log has come. A reader commits its offset in the transaction
 * of what it wrote, which is why it neither skips nor repeats.
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
	 * The offset that the reader reads next: 0 when it has read nothing of this epoch.
	 * @throws NewerEpochException when the reader is in a newer epoch already
	 */
	public long next(String reader, int partition, long epoch) {
		return next(SELECT, reader, partition, epoch);
	}

	/**
	 * The same as {@link #next}, and nobody else commits an offset of this reader and
	 * partition before the caller's transaction ends.
	 * @throws NewerEpochException when the reader is in a newer epoch already
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
	 * Remembers the offset that the reader reads next; joins the caller's transaction.
	 * @throws DataAccessException when the offset can't be stored, also when the reader
	 * is in a newer epoch already
	 */
	public void commit(String reader, int partition, long epoch, long nextOffset) {
		if (this.jdbc.update(UPDATE, epoch, nextOffset, reader, partition, epoch) == 0) {
			this.jdbc.update(INSERT, epoch, nextOffset, reader, partition);
		}
	}

	/** The lowest offset that any of these readers reads next: below it all have read. */
	public long lowest(int partition, long epoch, Collection<String> readers) {
		return readers.stream().mapToLong((reader) -> next(reader, partition, epoch)).min().orElse(0);
	}

	private record Stored(long epoch, long next) {
	}

}
