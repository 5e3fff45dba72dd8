package io.parley.server.delivery;

import java.nio.charset.StandardCharsets;

import io.parley.events.Destination;
import io.parley.server.delivery.UserEvents.RoomRemoved;
import io.parley.server.room.BlockChanged;
import io.parley.server.room.DirectBlocks;
import io.parley.server.room.MemberCache;
import io.parley.server.room.MemberRemoved;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Applies changes of access that the log does not tell, or may not tell: here at once,
 * and on the other servers by a signal, which may be lost.
 */
@Component
class AccessChanges {

	private static final byte[] NOTHING = "{}".getBytes(StandardCharsets.UTF_8);

	private final NodeMessenger peers;

	private final SessionRegistry sessions;

	private final RoomSubscriptionService subscriptions;

	private final UserEvents userEvents;

	private final MemberCache members;

	private final DirectBlocks blocks;

	private final JsonMapper json;

	AccessChanges(NodeMessenger peers, SessionRegistry sessions, RoomSubscriptionService subscriptions,
			UserEvents userEvents, MemberCache members, DirectBlocks blocks, JsonMapper json) {
		this.peers = peers;
		this.sessions = sessions;
		this.subscriptions = subscriptions;
		this.userEvents = userEvents;
		this.members = members;
		this.blocks = blocks;
		this.json = json;
		peers.on(NodeMessenger.Kind.REMOVED, (user, body) -> removedHere(json.readValue(body, MemberRemoved.class)));
		peers.on(NodeMessenger.Kind.BLOCKED, (room, body) -> blocks.forget(room));
	}

	@EventListener
	void removed(MemberRemoved removed) {
		removedHere(removed);
		this.peers.tell(NodeMessenger.Kind.REMOVED, removed.user(), this.json.writeValueAsBytes(removed));
	}

	private void removedHere(MemberRemoved removed) {
		this.members.forget(removed.room(), removed.user());
		for (ChatSession session : this.sessions.of(removed.user())) {
			session.subscriptions().forEach((id, subscription) -> {
				if (belongsTo(subscription.destination(), removed.room())) {
					this.subscriptions.end(session, id);
				}
			});
			this.userEvents.send(session, new RoomRemoved(removed.room(), removed.by()));
		}
	}

	@EventListener
	void blocked(BlockChanged changed) {
		this.blocks.forget(changed.room());
		this.peers.tell(NodeMessenger.Kind.BLOCKED, changed.room(), NOTHING);
	}

	/** Whether a destination is the events or the signals of a room. */
	static boolean belongsTo(Destination destination, String room) {
		return switch (destination) {
			case Destination.RoomTopic topic -> topic.room().equals(room);
			case Destination.SignalsTopic topic -> topic.room().equals(room);
			default -> false;
		};
	}

}
