package io.parley.server.session;

import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one session, by STOMP id. They are few and rarely change, but
 * those of all sessions are scanned once a second. So each change creates a new array,
 * and a scan allocates nothing. Safe for use by many threads. A scan sees the
 * subscriptions that existed when it began.
 */
public final class SubscriptionTable {

	private volatile Entry[] entries = {};

	private record Entry(String id, SessionSubscription subscription) {
	}

	/** Returns the subscription with this id, or null. */
	public @Nullable SessionSubscription get(String id) {
		for (Entry entry : this.entries) {
			if (entry.id().equals(id)) {
				return entry.subscription();
			}
		}
		return null;
	}

	/** Adds a subscription. Replaces one with the same id. */
	public synchronized void put(String id, SessionSubscription subscription) {
		remove(id);
		Entry[] more = Arrays.copyOf(this.entries, this.entries.length + 1);
		more[more.length - 1] = new Entry(id, subscription);
		this.entries = more;
	}

	/**
	 * Removes the subscription with this id and returns it, or returns null if there is
	 * none.
	 */
	public synchronized @Nullable SessionSubscription remove(String id) {
		SessionSubscription removed = get(id);
		if (removed != null) {
			this.entries = Arrays.stream(this.entries).filter((entry) -> !entry.id().equals(id)).toArray(Entry[]::new);
		}
		return removed;
	}

	/** Returns the number of subscriptions. */
	public int size() {
		return this.entries.length;
	}

	/** Returns whether any subscription satisfies the condition. */
	public boolean any(Predicate<SessionSubscription> condition) {
		for (Entry entry : this.entries) {
			if (condition.test(entry.subscription())) {
				return true;
			}
		}
		return false;
	}

	/** Calls the action with the id of each subscription and the subscription. */
	public void forEach(BiConsumer<String, SessionSubscription> action) {
		for (Entry entry : this.entries) {
			action.accept(entry.id(), entry.subscription());
		}
	}

}
