package io.parley.server.message;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

import io.parley.events.Destination;
import io.parley.events.EventType;
import io.parley.events.Positions;
import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.delivery.UserEvents;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import io.parley.server.session.SessionSubscription;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.timeline.TailListener;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.ReadMarker;

import org.springframework.data.domain.Limit;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Notifies members who are online but have not subscribed to the room of their unread
 * count: at most once a second per room, and not in rooms above 1,000 members.
 */
@Component
class UnreadNotifier implements TailListener {

	private static final int MAX_MEMBERS = 1_000;

	private final PendingNotifications<String> pending = new PendingNotifications<>(this::notifyMembers);

	private final LastKnownCache<String, Set<String>> members;

	private final SessionRegistry sessions;

	private final ReadMarkerService readMarkers;

	UnreadNotifier(Database database, MemberRepository members, SessionRegistry sessions,
			ReadMarkerService readMarkers) {
		this.members = new LastKnownCache<>(database, 10_000, (users) -> timeToLive(),
				(room) -> Set.copyOf(members.usernamesOf(room, "", Limit.of(MAX_MEMBERS + 1))));
		this.sessions = sessions;
		this.readMarkers = readMarkers;
	}

	/**
	 * How long the members of a room are cached. The log reports joins and leaves, so
	 * this covers only changes that the log never reported. Random, so that the rooms are
	 * not all queried at the same time.
	 */
	private static Duration timeToLive() {
		return Duration.ofSeconds(ThreadLocalRandom.current().nextInt(60, 120));
	}

	@Override
	public void onEvent(PositionedEvent event) {
		boolean deleted = event.record().type().equals(EventType.MESSAGE_DELETED) && !event.record().deletesReply();
		boolean mentions = event.record().mentionedBefore() != null && event.record().thread() == Positions.NONE;
		if (event.record().counts() || deleted || mentions) {
			this.pending.add(event.room());
		}
		if (event.record().type().changesMembers()) {
			this.members.forget(event.room());
		}
	}

	@Scheduled(fixedDelay = 1_000)
	void notifyMembers() {
		this.pending.send();
	}

	private void notifyMembers(Set<String> rooms) {
		List<ReadMarker> recipients = new ArrayList<>();
		rooms.forEach((room) -> addRecipients(room, recipients));
		this.readMarkers.notifyUnreadHere(recipients);
	}

	private void addRecipients(String room, List<ReadMarker> recipients) {
		Set<String> users = this.members.get(room);
		if (users.size() > MAX_MEMBERS) {
			return;
		}
		Destination topic = new Destination.RoomTopic(room);
		Predicate<SessionSubscription> live = (subscription) -> subscription.destination().equals(topic);
		users.stream()
			.filter((user) -> needsUnreadCount(user, live))
			.forEach((user) -> recipients.add(new ReadMarker(room, user, 0)));
	}

	/** Called for each session once a second, so it avoids streams. */
	private boolean needsUnreadCount(String user, Predicate<SessionSubscription> live) {
		for (ChatSession session : this.sessions.of(user)) {
			if (UserEvents.isSubscribed(session) && !session.subscriptions().any(live)) {
				return true;
			}
		}
		return false;
	}

}
