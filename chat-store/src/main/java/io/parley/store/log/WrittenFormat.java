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
 * and writes the old one until an operator {@linkplain #raise raises} what is written
 * here: by then nobody runs who cannot read it. It is never lowered, because the records
 * are in the log.
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
	 * The format to write now.
	 * @throws NewerFormatException when this build does not know it
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
	 * Lets all servers write a newer format, unless one that is alive cannot read it. A
	 * lower one than is written changes nothing.
	 * @return the servers that cannot read it, because of which nothing has changed;
	 * empty when it is written from now on
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
