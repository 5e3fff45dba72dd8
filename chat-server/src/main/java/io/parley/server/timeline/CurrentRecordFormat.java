package io.parley.server.timeline;

import io.parley.events.RecordFormat;
import io.parley.store.log.NewerFormatException;
import io.parley.store.log.WrittenFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The format in which this server writes records, re-read from the database every 10
 * seconds.
 */
@Component
class CurrentRecordFormat {

	private static final Logger log = LoggerFactory.getLogger(CurrentRecordFormat.class);

	private final WrittenFormat stored;

	private volatile RecordFormat current;

	/**
	 * Loads the format. Fails the startup if this server cannot read the format that the
	 * others write.
	 */
	CurrentRecordFormat(WrittenFormat stored) {
		this.stored = stored;
		this.current = stored.current();
	}

	RecordFormat current() {
		return this.current;
	}

	@Scheduled(fixedDelay = 10_000, initialDelay = 10_000)
	void refresh() {
		try {
			RecordFormat written = this.stored.current();
			if (written != this.current) {
				log.info("Records are written in format {} from now on", written.version());
				this.current = written;
			}
		}
		catch (DataAccessException | NewerFormatException ex) {
			log.warn("Records are still written in format {}: {}", this.current.version(), ex.getMessage());
		}
	}

}
