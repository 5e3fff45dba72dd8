package io.parley.server.message;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

import io.parley.events.Destination;
import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.delivery.UserEvents;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.timeline.TailListener;
import io.parley.server.error.StoreFailures;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import io.parley.server.session.SessionSubscription;
import io.parley.store.room.MemberRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.domain.Limit;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Tells members who are online, but have not subscribed to the room, how much they have
 * not read: at most once a second for each room, and not in rooms above 1,000 members.
 */
@Component
class UnreadNotifier implements TailListener {

	private static final Logger log = LoggerFactory.getLogger(UnreadNotifier.class);

	private static final int MAX_MEMBERS = 1_000;

	private final Set<String> changed = ConcurrentHashMap.newKeySet();

	private final LastKnownCache<String, Set<String>> members;

	private final SessionRegistry sessions;

	private final ReadMarkerService reading;

	UnreadNotifier(Database database, MemberRepository members, SessionRegistry sessions, ReadMarkerService reading) {
		this.members = new LastKnownCache<>(database, 10_000, (users) -> aWhile(),
				(room) -> Set.copyOf(members.usernamesOf(room, "", Limit.of(MAX_MEMBERS + 1))));
		this.sessions = sessions;
		this.reading = reading;
	}

	/**
	 * The log tells of those who come and go, so this is for what it never told. Not the
	 * same for all rooms: they would be looked up together, again and again.
	 */
	private static Duration aWhile() {
		return Duration.ofSeconds(ThreadLocalRandom.current().nextInt(60, 120));
	}

	@Override
	public void onEvent(PositionedEvent event) {
		if (event.record().counts()) {
			this.changed.add(event.room());
		}
		if (event.record().type().changesMembers()) {
			this.members.forget(event.room());
		}
	}

	@Scheduled(fixedDelay = 1_000)
	void tell() {
		for (String room : Set.copyOf(this.changed)) {
			this.changed.remove(room);
			try {
				tell(room);
			}
			catch (RuntimeException ex) {
				if (StoreFailures.isUnavailable(ex) || StoreFailures.isAway(ex)) {
					// This room and those after it are told when the database is back.
					this.changed.add(room);
					return;
				}
				log.warn("Unread counts of room {} were not told", room, ex);
			}
		}
	}

	private void tell(String room) {
		Set<String> users = this.members.get(room);
		if (users.size() > MAX_MEMBERS) {
			return;
		}
		Destination topic = new Destination.RoomTopic(room);
		Predicate<SessionSubscription> live = (subscription) -> subscription.destination().equals(topic);
		List<String> waiting = users.stream().filter((user) -> isElsewhere(user, live)).toList();
		if (!waiting.isEmpty()) {
			this.reading.tellUnreadHere(room, waiting);
		}
	}

	/** Asked about each session once a second: no streams. */
	private boolean isElsewhere(String user, Predicate<SessionSubscription> live) {
		for (ChatSession session : this.sessions.of(user)) {
			if (UserEvents.isSubscribed(session) && !session.subscriptions().any(live)) {
				return true;
			}
		}
		return false;
	}

}
