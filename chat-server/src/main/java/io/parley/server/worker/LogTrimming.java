package io.parley.server.worker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.log.RoomLog;
import io.parley.notification.NotificationWorker;
import io.parley.persistence.PersistenceWorker;
import io.parley.server.timeline.PositionConverter;
import io.parley.store.log.ReaderOffsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Trims the log every 30 seconds: removes the records that have expired and that all
 * workers, wherever they run, have read. A log that removes records by itself learns from
 * this call which ones are unread, and refuses appends before it would remove an unread
 * one. While the database is away, the log is trimmed by what it said last: so the log
 * still notices that unread records take too much space.
 */
@Component
class LogTrimming {

	private static final Logger logger = LoggerFactory.getLogger(LogTrimming.class);

	/** The names of the workers that read the log. */
	static final List<String> READERS = List.of(PersistenceWorker.READER, NotificationWorker.READER);

	private final RoomLog log;

	private final ReaderOffsets offsets;

	private final PositionConverter positions;

	/** By partition, the offset below which all workers had read everything. */
	private final Map<Integer, Long> read = new HashMap<>();

	LogTrimming(RoomLog log, ReaderOffsets offsets, PositionConverter positions) {
		this.log = log;
		this.offsets = offsets;
		this.positions = positions;
	}

	@Scheduled(fixedDelay = 30_000, initialDelay = 5_000)
	void trim() {
		try {
			for (int partition = 0; partition < this.log.partitions(); partition++) {
				this.read.put(partition, this.offsets.lowest(partition, this.positions.epoch(), READERS));
			}
		}
		catch (DataAccessException ex) {
			logger.debug("The log is trimmed by older offsets while the database is unavailable", ex);
		}
		this.read.forEach(this.log::trim);
	}

}
