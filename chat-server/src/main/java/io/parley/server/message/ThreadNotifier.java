package io.parley.server.message;

import java.util.Set;

import io.parley.server.delivery.UserEvents;
import io.parley.server.session.SessionRegistry;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.timeline.TailListener;
import io.parley.store.event.RoomPosition;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Notifies the followers of threads who are online of what is unread: at most once a
 * second per thread.
 */
@Component
class ThreadNotifier implements TailListener {

	private final PendingNotifications<RoomPosition> pending = new PendingNotifications<>(this::notifyFollowers);

	private final SessionRegistry sessions;

	private final ThreadService threads;

	ThreadNotifier(SessionRegistry sessions, ThreadService threads) {
		this.sessions = sessions;
		this.threads = threads;
	}

	@Override
	public void onEvent(PositionedEvent event) {
		if (event.record().countsInThread() || event.record().deletesReply()) {
			this.pending.add(new RoomPosition(event.room(), event.record().thread()));
		}
	}

	@Scheduled(fixedDelay = 1_000)
	void notifyFollowers() {
		this.pending.send();
	}

	private void notifyFollowers(Set<RoomPosition> roots) {
		this.threads.notifyFollowersHere(roots, this::isHere);
	}

	private boolean isHere(String user) {
		return this.sessions.of(user).stream().anyMatch(UserEvents::isSubscribed);
	}

}
