package io.parley.server.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.limits.KeyedBuckets;
import io.parley.server.presence.NodeProperties;
import io.parley.store.audit.AuditEvent;
import io.parley.store.audit.AuditEventRepository;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Writes the audit log: a row in the database, and a line of JSON to the logger
 * {@code audit}. An entry contains no text of messages, no tokens and no passwords.
 *
 * <p>
 * In a transaction, the entry is stored with what it is about or not at all. Outside of a
 * transaction, a database that is unavailable loses the row, not the line. Actions that
 * clients can repeat at will are bounded: above 10 entries a minute for one user, and 300
 * for all, they are counted, and one entry tells their number after a minute. Safe for
 * use by many threads.
 */
@Component
public class AuditLog {

	private static final Logger log = LoggerFactory.getLogger(AuditLog.class);

	private static final Logger lines = LoggerFactory.getLogger("audit");

	private static final int PER_MINUTE = 300;

	private static final int PER_MINUTE_AND_USER = 10;

	private static final int MAX_DETAIL = 500;

	private final AuditEventRepository events;

	private final JsonMapper json;

	private final String node;

	private final KeyedBuckets<AuditAction> byAction = new KeyedBuckets<>(PER_MINUTE, Duration.ofMinutes(1));

	private final KeyedBuckets<String> byUser = new KeyedBuckets<>(PER_MINUTE_AND_USER, Duration.ofMinutes(1));

	private final Map<AuditAction, Integer> suppressed = new ConcurrentHashMap<>();

	AuditLog(AuditEventRepository events, JsonMapper json, NodeProperties node) {
		this.events = events;
		this.json = json;
		this.node = node.idOrHostName();
	}

	/**
	 * Records that something was done.
	 * @param username the user whom it is about, or null
	 * @param detail short values; they become a JSON object
	 */
	public void record(AuditAction action, Actor actor, @Nullable String username, Map<String, ?> detail) {
		String user = (username != null) ? username : actor.username();
		if (action.isBounded() && (this.byUser.take(action + " " + user) > 0 || this.byAction.take(action) > 0)) {
			this.suppressed.merge(action, 1, Integer::sum);
			return;
		}
		write(action, actor, username, detail);
	}

	/** Records how many entries of each action were left out. */
	@Scheduled(fixedDelay = 60_000, initialDelay = 60_000)
	void summarize() {
		for (AuditAction action : this.suppressed.keySet()) {
			Integer count = this.suppressed.remove(action);
			if (count != null) {
				write(action, Actor.SERVER, null, Map.of("suppressed", count));
			}
		}
	}

	private void write(AuditAction action, Actor actor, @Nullable String username, Map<String, ?> detail) {
		String text = detail.isEmpty() ? null : this.json.writeValueAsString(detail);
		AuditEvent event = new AuditEvent(0, Instant.now().truncatedTo(ChronoUnit.MILLIS), action.wireName(),
				actor.username(), username, actor.address(), this.node,
				(text != null && text.length() > MAX_DETAIL) ? null : text);
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			this.events.add(event);
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCommit() {
					writeLine(event);
				}
			});
			return;
		}
		writeLine(event);
		try {
			this.events.add(event);
		}
		catch (RuntimeException ex) {
			log.warn("Failed to store an entry of the audit log; only its line was written", ex);
		}
	}

	private void writeLine(AuditEvent event) {
		lines.info("{}", this.json.writeValueAsString(AuditView.of(event, this.json)));
	}

}
