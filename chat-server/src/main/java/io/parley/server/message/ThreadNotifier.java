package io.parley.server.message;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.delivery.UserEvents;
import io.parley.server.error.StoreFailures;
import io.parley.server.session.SessionRegistry;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.timeline.TailListener;
import io.parley.store.event.RoomPosition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Notifies the followers of threads who are online of what is unread: at most once a
 * second per thread.
 */
@Component
class ThreadNotifier implements TailListener {

	private static final Logger log = LoggerFactory.getLogger(ThreadNotifier.class);

	private final Set<RoomPosition> changed = ConcurrentHashMap.newKeySet();

	private final SessionRegistry sessions;

	private final ThreadService threads;

	ThreadNotifier(SessionRegistry sessions, ThreadService threads) {
		this.sessions = sessions;
		this.threads = threads;
	}

	@Override
	public void onEvent(PositionedEvent event) {
		if (event.record().countsInThread() || event.record().deletesReply()) {
			this.changed.add(new RoomPosition(event.room(), event.record().thread()));
		}
	}

	@Scheduled(fixedDelay = 1_000)
	void notifyFollowers() {
		Set<RoomPosition> roots = Set.copyOf(this.changed);
		this.changed.removeAll(roots);
		try {
			notifyFollowers(roots);
		}
		catch (RuntimeException ex) {
			// Retried when the database is available again.
			this.changed.addAll(roots);
		}
	}

	/**
	 * Notifies the followers of many threads with few queries. If that fails because of
	 * one of the threads, the followers of the others are still notified.
	 * @throws RuntimeException if the database is unavailable
	 */
	private void notifyFollowers(Set<RoomPosition> roots) {
		if (roots.isEmpty()) {
			return;
		}
		try {
			this.threads.notifyFollowersHere(roots, this::isHere);
		}
		catch (RuntimeException ex) {
			if (StoreFailures.isUnavailable(ex) || StoreFailures.isConnectionFailure(ex)) {
				throw ex;
			}
			if (roots.size() == 1) {
				log.warn("Failed to notify the followers of thread {}", roots.iterator().next(), ex);
			}
			else {
				List.copyOf(roots).forEach((root) -> notifyFollowers(Set.of(root)));
			}
		}
	}

	private boolean isHere(String user) {
		return this.sessions.of(user).stream().anyMatch(UserEvents::isSubscribed);
	}

}
