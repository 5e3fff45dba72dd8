package io.parley.server.message;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.parley.server.error.StoreFailures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rooms or threads that changed since their users were notified. Safe for use by many
 * threads.
 *
 * @param <K> identifies a room or a thread
 */
final class PendingNotifications<K> {

	private static final Logger log = LoggerFactory.getLogger(PendingNotifications.class);

	private final Set<K> changed = ConcurrentHashMap.newKeySet();

	private final Consumer<Set<K>> notify;

	/**
	 * Creates an empty set.
	 * @param notify notifies the users of many rooms or threads with few queries
	 */
	PendingNotifications(Consumer<Set<K>> notify) {
		this.notify = notify;
	}

	/** Adds a room or thread. Does not block. */
	void add(K key) {
		this.changed.add(key);
	}

	/**
	 * Notifies the users of all that changed since the last call. While the database is
	 * unavailable, everything is kept for the next call. If one room or thread fails for
	 * another reason, the users of the others are still notified.
	 */
	void send() {
		Set<K> keys = Set.copyOf(this.changed);
		this.changed.removeAll(keys);
		try {
			send(keys);
		}
		catch (RuntimeException ex) {
			// Retried when the database is available again.
			this.changed.addAll(keys);
		}
	}

	private void send(Set<K> keys) {
		if (keys.isEmpty()) {
			return;
		}
		try {
			this.notify.accept(keys);
		}
		catch (RuntimeException ex) {
			if (StoreFailures.isUnavailable(ex) || StoreFailures.isConnectionFailure(ex)) {
				throw ex;
			}
			if (keys.size() == 1) {
				log.warn("Failed to send what is unread in {}", keys.iterator().next(), ex);
			}
			else {
				keys.forEach((key) -> send(Set.of(key)));
			}
		}
	}

}
