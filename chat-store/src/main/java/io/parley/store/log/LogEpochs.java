package io.parley.store.log;

import java.util.List;
import java.util.Set;

import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties;
import io.parley.store.UtcTime;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Numbers the logs that this database was used with, so that positions never decrease.
 */
public class LogEpochs {

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final SurvivingRecords surviving;

	private final LogComparison comparison;

	LogEpochs(JdbcTemplate jdbc, PlatformTransactionManager transactions, ObjectProvider<LogProperties> properties) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactions);
		this.surviving = new SurvivingRecords(jdbc);
		LogProperties settings = properties.getIfAvailable();
		this.comparison = new LogComparison(jdbc, (settings != null) ? settings.acceptedGaps() : Set.of());
	}

	/**
	 * Returns the epoch of a log, from 1. A log other than the newest known one, or one
	 * with another number of partitions, begins the next epoch. The readers then continue
	 * after the records that they have stored from it in the previous epoch. Several
	 * processes may call this at the same time. Reads from the log when an epoch begins.
	 * @throws LogUnavailableException if the log and this database do not belong
	 * together: see {@link LogComparison}
	 */
	public long current(RoomLog log) {
		while (true) {
			Epoch newest = newest();
			if (newest.logId.equals(log.id()) && newest.partitions == log.partitions()) {
				this.comparison.check(log, newest.epoch);
				return newest.epoch;
			}
			try {
				this.transaction.executeWithoutResult((status) -> begin(newest.epoch + 1, log));
				return newest.epoch + 1;
			}
			catch (DuplicateKeyException ex) {
				// Another process was faster: read the newest epoch again.
			}
		}
	}

	private void begin(long epoch, RoomLog log) {
		this.jdbc.update("INSERT INTO log_epoch (epoch, log_id, partitions, since) VALUES (?, ?, ?, ?)", epoch,
				log.id(), log.partitions(), UtcTime.now());
		for (int partition = 0; partition < log.partitions(); partition++) {
			this.surviving.carryOver(log, partition, epoch);
		}
	}

	/**
	 * Returns the first offset of a partition whose position belongs to that epoch.
	 * Records below it were stored in an older epoch.
	 */
	public long firstOffset(int partition, long epoch) {
		return this.jdbc
			.queryForList("SELECT first_offset FROM log_epoch_start WHERE epoch = ? AND partition_no = ?", Long.class,
					epoch, partition)
			.stream()
			.findFirst()
			.orElse(0L);
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
