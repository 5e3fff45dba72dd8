package io.parley.server.report;

import java.time.Instant;

import io.parley.store.report.MessageReportRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Deletes the reports that are older than the retention time. */
@Component
class ReportRetention {

	private static final Logger log = LoggerFactory.getLogger(ReportRetention.class);

	private final MessageReportRepository reports;

	private final ReportProperties properties;

	ReportRetention(MessageReportRepository reports, ReportProperties properties) {
		this.reports = reports;
		this.properties = properties;
	}

	@Scheduled(fixedDelay = 3_600_000, initialDelay = 90_000)
	void deleteOld() {
		try {
			int deleted = this.reports.removeBefore(Instant.now().minus(this.properties.retention()));
			if (deleted > 0) {
				log.info("Deleted {} reports of messages that were older than {}", deleted,
						this.properties.retention());
			}
		}
		catch (RuntimeException ex) {
			log.warn("Failed to delete old reports of messages; the next attempt is in an hour", ex);
		}
	}

}
