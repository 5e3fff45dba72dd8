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

/** Counts the logs that this database has seen, so that positions never go back. */
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
	 * The epoch of a log, from 1. A log other than the newest known one, or one with
	 * another number of partitions, begins the next epoch; readers go on behind the
	 * records that they have stored from it in the epoch before. May be asked by several
	 * processes at once. Reads from the log when an epoch begins.
	 * @throws LogUnavailableException when the log and this database do not belong
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
				// Another process was faster: look again at what is newest now.
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
	 * The first offset of a partition whose position is in that epoch; what is below it
	 * was stored in an older one.
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
