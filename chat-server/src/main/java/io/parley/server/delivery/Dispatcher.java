package io.parley.server.delivery;

import java.time.Duration;
import java.time.Instant;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parley.events.Destination;
import io.parley.events.EventType;
import io.parley.events.MemberJoined;
import io.parley.events.MemberLeft;
import io.parley.events.MemberRole;
import io.parley.events.RoomCreated;
import io.parley.events.RoomEvent;
import io.parley.server.delivery.UserEvents.RoomAdded;
import io.parley.server.delivery.UserEvents.RoomRemoved;
import io.parley.server.metrics.Histograms;
import io.parley.server.room.MemberCache;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.timeline.TailListener;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomRepository;
import io.parley.trace.MessageTracer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Dispatches events from the log to the clients of this node: each event to the
 * subscribers of its room, and its effect on single users to their sessions.
 */
@Component
class Dispatcher implements TailListener {

	private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

	private final LiveDelivery live;

	private final UserEvents userEvents;

	private final SessionRegistry sessions;

	private final RoomSubscriptionService subscriptions;

	private final MemberCache members;

	private final RoomRepository rooms;

	private final MemberRepository stored;

	private final MessageTracer traces;

	private final Timer lag;

	Dispatcher(LiveDelivery live, UserEvents userEvents, SessionRegistry sessions,
			RoomSubscriptionService subscriptions, MemberCache members, RoomRepository rooms, MemberRepository stored,
			MessageTracer traces, MeterRegistry meters) {
		this.live = live;
		this.userEvents = userEvents;
		this.sessions = sessions;
		this.subscriptions = subscriptions;
		this.members = members;
		this.rooms = rooms;
		this.stored = stored;
		this.traces = traces;
		this.lag = Histograms.timer("chat.delivery.lag", "Time from the acceptance of a message to its live delivery")
			.register(meters);
	}

	@Override
	public void onEvent(PositionedEvent event) {
		if (this.live.isOpen(new Destination.RoomTopic(event.room()))) {
			Instant read = Instant.now();
			this.live.deliver(LiveFrame.event(event));
			if (event.record().type().isMessage()) {
				this.lag.record(Duration.between(event.record().sentAt(), Instant.now()));
			}
			this.traces.delivered(event.record(), event.position(), read);
		}
		EventType type = event.record().type();
		if (type.changesMembers() || type.equals(EventType.MEMBER_ROLE)) {
			applyMembership(event.record().event());
		}
	}

	@Override
	public void onUnreadable(String room, long position) {
		this.live.deliver(LiveFrame.gap(new Destination.RoomTopic(room), position));
	}

	private void applyMembership(RoomEvent event) {
		switch (event) {
			case RoomCreated created -> created.members()
				.forEach((member) -> this.userEvents.sendHere(member,
						new RoomAdded(created.room(), created.name(), created.kind(), created.sender())));
			case MemberJoined joined -> {
				this.members.forget(joined.room(), joined.member());
				if (this.sessions.online(joined.member())) {
					inBackground(joined.room(), () -> sendRoomAdded(joined));
				}
			}
			case MemberLeft left -> {
				this.members.forget(left.room(), left.member());
				this.sessions.of(left.member())
					.forEach((session) -> this.live.afterDelivered(session, () -> end(session, left)));
			}
			case MemberRole changed -> this.members.forget(changed.room(), changed.member());
			default -> {
			}
		}
	}

	/** Runs a query on a thread of its own, because other events wait for this one. */
	private static void inBackground(String room, Runnable task) {
		Thread.ofVirtual().start(() -> {
			try {
				task.run();
			}
			catch (RuntimeException ex) {
				log.warn("Could not tell a user that they are in room {}; the user sees it in the list of rooms", room,
						ex);
			}
		});
	}

	private void sendRoomAdded(MemberJoined joined) {
		this.rooms.findById(joined.room())
			.ifPresent((room) -> this.userEvents.sendHere(joined.member(), added(room, joined.sender())));
	}

	private static RoomAdded added(Room room, String by) {
		return new RoomAdded(room.getId(), room.getName(), room.getKind().wireName(), by);
	}

	/**
	 * Ends the subscriptions of a member who has left, after the leave event, the last
	 * one that the member gets.
	 */
	private void end(ChatSession session, MemberLeft left) {
		session.subscriptions().forEach((id, subscription) -> {
			if (subscription instanceof TopicSubscription topic
					&& AccessChanges.belongsTo(topic.destination(), left.room())) {
				topic.afterPending(() -> this.subscriptions.end(session, id));
			}
		});
		this.userEvents.send(session, new RoomRemoved(left.room(), left.sender()));
		inBackground(left.room(), () -> sendRoomAddedAgain(session, left));
	}

	/**
	 * Tells a user who has joined again before this server read of the leave. A join of a
	 * large room is not in the log, so no event follows that tells it.
	 */
	private void sendRoomAddedAgain(ChatSession session, MemberLeft left) {
		if (this.stored.existsByRoomIdAndUsername(left.room(), left.member())) {
			this.rooms.findById(left.room())
				.ifPresent((room) -> this.userEvents.send(session, added(room, left.member())));
		}
	}

}
