package io.parley.store.log;

import java.time.Instant;
import java.util.List;

import io.parley.events.RecordFormat;
import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The format in which servers write records. A new build reads its new format at once,
 * but writes the old one until an operator {@linkplain #raise raises} the format stored
 * here: by then no running process is unable to read it. The format is never lowered,
 * because the records are in the log.
 */
public class WrittenFormat {

	private static final String SELECT = "SELECT version FROM record_format";

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	WrittenFormat(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * Returns the format to write now.
	 * @throws NewerFormatException if this build does not know it
	 */
	public RecordFormat current() {
		return known(version(SELECT));
	}

	private static RecordFormat known(int version) {
		if (version > RecordFormat.NEWEST.version()) {
			throw new NewerFormatException(version);
		}
		return RecordFormat.ofVersion(version);
	}

	private int version(String sql) {
		Integer version = this.jdbc.queryForObject(sql, Integer.class);
		return (version != null) ? version : 1;
	}

	/**
	 * Makes all servers write a newer format, unless a live server cannot read it. Does
	 * nothing if the servers already write that format or a newer one.
	 * @return the servers that cannot read the format, because of which nothing has
	 * changed; empty if they write it from now on
	 */
	public List<String> raise(RecordFormat format, Instant now) {
		return this.transaction.execute((status) -> {
			int written = version(SELECT + " FOR UPDATE");
			if (written >= format.version()) {
				return List.of();
			}
			List<String> older = this.jdbc.queryForList("""
					SELECT node FROM node_lease
					WHERE expires_at > ? AND (record_version IS NULL OR record_version < ?) ORDER BY node""",
					String.class, UtcTime.of(now), format.version());
			if (older.isEmpty()) {
				this.jdbc.update("UPDATE record_format SET version = ?", format.version());
			}
			return older;
		});
	}

}
