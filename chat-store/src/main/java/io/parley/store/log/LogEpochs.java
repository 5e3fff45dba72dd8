package io.parley.store.log;

import java.util.List;

import io.parley.store.UtcTime;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/** Counts the logs that this database has seen, so that positions never go back. */
public class LogEpochs {

	private final JdbcTemplate jdbc;

	LogEpochs(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * The epoch of a log, from 1. A log other than the newest known one, or one with
	 * another number of partitions, begins the next epoch. May be asked by several
	 * processes at once.
	 */
	public long current(String logId, int partitions) {
		while (true) {
			Epoch newest = newest();
			if (newest.logId.equals(logId) && newest.partitions == partitions) {
				return newest.epoch;
			}
			try {
				this.jdbc.update("INSERT INTO log_epoch (epoch, log_id, partitions, since) VALUES (?, ?, ?, ?)",
						newest.epoch + 1, logId, partitions, UtcTime.now());
				return newest.epoch + 1;
			}
			catch (DuplicateKeyException ex) {
				// Another process was faster: look again at what is newest now.
			}
		}
	}

	private Epoch newest() {
		List<Epoch> newest = this.jdbc.query(
				"SELECT epoch, log_id, partitions FROM log_epoch ORDER BY epoch DESC LIMIT 1",
				(row, index) -> new Epoch(row.getLong(1), row.getString(2), row.getInt(3)));
		return newest.isEmpty() ? new Epoch(0, "", 0) : newest.getFirst();
	}

	private record Epoch(long epoch, String logId, int partitions) {
	}

}
