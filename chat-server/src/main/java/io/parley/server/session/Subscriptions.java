package io.parley.server.session;

import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * What one session has subscribed to, by STOMP id: few, rarely changed, and looked
 * through once a second in all sessions. So each change makes a new array, and looking
 * through them makes nothing. May be used by any thread; who looks through them sees
 * those that were there at the beginning.
 */
public final class Subscriptions {

	private volatile Entry[] entries = {};

	private record Entry(String id, SessionSubscription subscription) {
	}

	/** What was subscribed under that id, or null. */
	public @Nullable SessionSubscription get(String id) {
		for (Entry entry : this.entries) {
			if (entry.id().equals(id)) {
				return entry.subscription();
			}
		}
		return null;
	}

	/** Adds one, in the place of that with the same id if there is one. */
	public synchronized void put(String id, SessionSubscription subscription) {
		remove(id);
		Entry[] more = Arrays.copyOf(this.entries, this.entries.length + 1);
		more[more.length - 1] = new Entry(id, subscription);
		this.entries = more;
	}

	/** Takes one away: it, or null when there is none with that id. */
	public synchronized @Nullable SessionSubscription remove(String id) {
		SessionSubscription removed = get(id);
		if (removed != null) {
			this.entries = Arrays.stream(this.entries).filter((entry) -> !entry.id().equals(id)).toArray(Entry[]::new);
		}
		return removed;
	}

	/** How many there are. */
	public int size() {
		return this.entries.length;
	}

	/** Whether there is one of that kind. */
	public boolean any(Predicate<SessionSubscription> kind) {
		for (Entry entry : this.entries) {
			if (kind.test(entry.subscription())) {
				return true;
			}
		}
		return false;
	}

	/** Calls the action with each and its id. */
	public void forEach(BiConsumer<String, SessionSubscription> action) {
		for (Entry entry : this.entries) {
			action.accept(entry.id(), entry.subscription());
		}
	}

}
