package io.parley.server.audit;

import java.time.Instant;

import io.parley.store.audit.AuditEventRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Deletes the entries of the audit log that are older than the retention time. */
@Component
class AuditRetention {

	private static final Logger log = LoggerFactory.getLogger(AuditRetention.class);

	private final AuditEventRepository events;

	private final AuditProperties properties;

	AuditRetention(AuditEventRepository events, AuditProperties properties) {
		this.events = events;
		this.properties = properties;
	}

	@Scheduled(fixedDelay = 3_600_000, initialDelay = 60_000)
	void deleteOld() {
		try {
			int deleted = this.events.removeBefore(Instant.now().minus(this.properties.retention()));
			if (deleted > 0) {
				log.info("Deleted {} entries of the audit log that were older than {}", deleted,
						this.properties.retention());
			}
		}
		catch (RuntimeException ex) {
			log.warn("Failed to delete old entries of the audit log; the next attempt is in an hour", ex);
		}
	}

}
