package io.parley.server.delivery;

import java.time.Instant;

import io.parley.events.Destination;
import io.parley.server.delivery.UserEvents.RoleChanged;
import io.parley.server.delivery.UserEvents.RoomAdded;
import io.parley.server.delivery.UserEvents.RoomRemoved;
import io.parley.server.room.BlockChanged;
import io.parley.server.room.DirectBlocks;
import io.parley.server.room.MemberAdded;
import io.parley.server.room.MemberCache;
import io.parley.server.room.MemberChanged;
import io.parley.server.room.MemberRemoved;
import io.parley.server.room.RoomSettingsCache;
import io.parley.server.room.RoomSettingsChanged;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import io.parley.store.room.RoomRole;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Applies access changes that the log does not contain, or may not contain: at once on
 * this server, and on the other servers by a signal, which may be lost.
 */
@Component
class AccessChanges {

	private static final byte[] NO_BODY = {};

	private final NodeMessenger messenger;

	private final SessionRegistry sessions;

	private final RoomSubscriptionService subscriptions;

	private final UserEvents userEvents;

	private final MemberCache members;

	private final DirectBlocks blocks;

	private final PresenceSignals presence;

	private final RoomSettingsCache settings;

	private final RoomSignals signals;

	private final JsonMapper json;

	AccessChanges(NodeMessenger messenger, SessionRegistry sessions, RoomSubscriptionService subscriptions,
			UserEvents userEvents, MemberCache members, DirectBlocks blocks, PresenceSignals presence,
			RoomSettingsCache settings, RoomSignals signals, JsonMapper json) {
		this.messenger = messenger;
		this.sessions = sessions;
		this.subscriptions = subscriptions;
		this.userEvents = userEvents;
		this.members = members;
		this.blocks = blocks;
		this.presence = presence;
		this.settings = settings;
		this.signals = signals;
		this.json = json;
	}

	@EventListener
	void removed(MemberRemoved removed) {
		applyRemoval(removed);
		this.messenger.broadcast(NodeSignal.Kind.REMOVED, removed.user(), this.json.writeValueAsBytes(removed));
	}

	/** Applies a removal on another server. */
	void removedElsewhere(byte[] body) {
		applyRemoval(this.json.readValue(body, MemberRemoved.class));
	}

	private void applyRemoval(MemberRemoved removed) {
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

	/**
	 * Applies a join that is not in the log. The signal to the other servers is that of a
	 * changed member, which the version before understands; they use the room and the
	 * user only.
	 */
	@EventListener
	void added(MemberAdded added) {
		forget(new MemberChanged(added.room(), added.user(), RoomRole.MEMBER, null, added.by()));
		this.userEvents.send(added.user(),
				new RoomAdded(added.room(), added.name(), added.kind().wireName(), added.by()));
	}

	/** Applies another role or mute. */
	@EventListener
	void changed(MemberChanged changed) {
		forget(changed);
		Instant mutedUntil = changed.mutedUntil();
		this.userEvents.send(changed.user(), new RoleChanged(changed.room(), changed.role().wireName(),
				(mutedUntil != null) ? mutedUntil.toString() : null, changed.by()));
	}

	/**
	 * Forgets on all servers what they know of a member. Called before the user gets the
	 * event: the other servers receive both in this order.
	 */
	private void forget(MemberChanged changed) {
		this.members.forget(changed.room(), changed.user());
		this.messenger.broadcast(NodeSignal.Kind.MEMBER, changed.user(), this.json.writeValueAsBytes(changed));
	}

	/** Forgets what this server knows of a member that another server has changed. */
	void changedElsewhere(byte[] body) {
		MemberChanged changed = this.json.readValue(body, MemberChanged.class);
		this.members.forget(changed.room(), changed.user());
	}

	/** Applies other settings of a room, and signals another slow mode to the room. */
	@EventListener
	void settingsChanged(RoomSettingsChanged changed) {
		if (changed.isForMembers()) {
			this.settings.forget(changed.room());
			this.messenger.broadcast(NodeSignal.Kind.ROOM_SETTINGS, changed.room(), NO_BODY);
		}
		if (changed.isSlowModeChanged()) {
			this.signals.slowMode(changed.room(), changed.after().slowMode(), changed.by());
		}
	}

	/** Applies other settings of a room that were stored by another server. */
	void settingsChangedElsewhere(String room) {
		this.settings.forget(room);
	}

	@EventListener
	void blocked(BlockChanged changed) {
		applyBlock(changed);
		this.messenger.broadcast(NodeSignal.Kind.BLOCKED, changed.room(), this.json.writeValueAsBytes(changed));
	}

	/** Applies the change of a block on another server. */
	void blockedElsewhere(byte[] body) {
		applyBlock(this.json.readValue(body, BlockChanged.class));
	}

	private void applyBlock(BlockChanged changed) {
		this.blocks.forget(changed.room());
		this.presence.forget(changed.one());
		this.presence.forget(changed.other());
	}

	/** Returns whether a destination is the events or the signals of a room. */
	static boolean belongsTo(Destination destination, String room) {
		return switch (destination) {
			case Destination.RoomTopic topic -> topic.room().equals(room);
			case Destination.SignalsTopic topic -> topic.room().equals(room);
			default -> false;
		};
	}

}
