package io.parley.server.room;

import java.time.Instant;

import io.parley.events.EventType;
import io.parley.events.MemberRole;
import io.parley.server.error.ChatException;
import io.parley.store.room.RoomRole;
import io.parley.store.room.RoomRoleRepository.Heir;
import io.parley.store.room.UnconfirmedChanges.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Tells changes of roles and mutes: by a signal, so that every node applies them at once,
 * and for roles also by an event in the log, where the format of records has it. A change
 * stays whether or not the log takes the event: a demotion must not wait for the log.
 */
@Component
class RoleEvents {

	private static final Logger log = LoggerFactory.getLogger(RoleEvents.class);

	private final MemberCache cache;

	private final RoomChanges changes;

	private final ApplicationEventPublisher events;

	RoleEvents(MemberCache cache, RoomChanges changes, ApplicationEventPublisher events) {
		this.cache = cache;
		this.changes = changes;
		this.events = events;
	}

	/** Signals what a member is now. */
	void signal(String room, String by, String user, RoomRole role, @Nullable Instant mutedUntil) {
		this.cache.forget(room, user);
		this.events.publishEvent(new MemberChanged(room, user, role, mutedUntil, by));
	}

	/**
	 * Appends the event of a new role.
	 * @throws ChatException {@code append-unknown} if the log does not confirm it
	 */
	void append(String room, String by, String user, RoomRole role) {
		if (!this.changes.canAppend(EventType.MEMBER_ROLE)) {
			return;
		}
		this.changes.append(
				new MemberRole(room, RoomChanges.newEventId(), by, RoomChanges.now(), user, role.wireName()),
				() -> false, () -> this.changes.unconfirmed(room, user, Kind.ROLE));
		this.changes.confirmed(room, user, Kind.ROLE);
	}

	/**
	 * Tells who owns the room from now on. Nobody waits for that, so a failure is only
	 * logged.
	 */
	void tellHeir(String room, String by, @Nullable Heir heir) {
		if (heir == null) {
			return;
		}
		signal(room, by, heir.username(), RoomRole.OWNER, null);
		try {
			append(room, by, heir.username(), RoomRole.OWNER);
		}
		catch (ChatException ex) {
			log.warn("The log may not have the event that {} owns room {}: {}", heir.username(), room, ex.getMessage());
		}
	}

}
