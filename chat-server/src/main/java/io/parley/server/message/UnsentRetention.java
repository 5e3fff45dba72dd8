package io.parley.server.message;

import java.time.Duration;
import java.time.Instant;

import io.parley.store.draft.DraftRepository;
import io.parley.store.scheduled.ScheduledMessageRepository;
import io.parley.store.scheduled.ScheduledState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Deletes scheduled messages that are finished, and what is left of removed drafts. Those
 * that were sent or cancelled are kept for a day, so that a late retry of a request does
 * not schedule the same message again.
 */
@Component
class UnsentRetention {

	private static final Logger log = LoggerFactory.getLogger(UnsentRetention.class);

	private static final Duration FINISHED = Duration.ofDays(1);

	private final ScheduledMessageRepository messages;

	private final DraftRepository drafts;

	private final ScheduledProperties properties;

	UnsentRetention(ScheduledMessageRepository messages, DraftRepository drafts, ScheduledProperties properties) {
		this.messages = messages;
		this.drafts = drafts;
		this.properties = properties;
	}

	@Scheduled(fixedDelay = 3_600_000, initialDelay = 120_000)
	void deleteOld() {
		try {
			Instant now = this.messages.now();
			this.messages.deleteBefore(now.minus(FINISHED), ScheduledState.SENT, ScheduledState.CANCELLED);
			int failed = this.messages.deleteBefore(now.minus(this.properties.retention()), ScheduledState.FAILED);
			if (failed > 0) {
				log.info("Deleted {} scheduled messages that could not be sent and were older than {}", failed,
						this.properties.retention());
			}
			this.drafts.deleteRemovedBefore(now.minus(FINISHED));
		}
		catch (RuntimeException ex) {
			log.warn("Failed to delete old scheduled messages and drafts; the next attempt is in an hour", ex);
		}
	}

}
