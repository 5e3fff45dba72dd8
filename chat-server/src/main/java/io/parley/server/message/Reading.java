package io.parley.server.message;

import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;

import io.parley.server.delivery.RoomSignals;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.UnreadChanged;
import io.parley.server.history.History;
import io.parley.server.refusal.Refusal;
import io.parley.server.room.MemberCache;
import io.parley.server.room.ReadPositions;
import io.parley.store.event.Head;
import io.parley.store.event.RoomEvents;

import org.springframework.stereotype.Component;

/**
 * Moves read markers and tells who wants to know: the room, and the user's other devices.
 */
@Component
class Reading {

	private final MemberCache members;

	private final History history;

	private final RoomEvents stored;

	private final ReadPositions read;

	private final RoomSignals signals;

	private final UserEvents userEvents;

	Reading(MemberCache members, History history, RoomEvents stored, ReadPositions read, RoomSignals signals,
			UserEvents userEvents) {
		this.members = members;
		this.history = history;
		this.stored = stored;
		this.read = read;
		this.signals = signals;
		this.userEvents = userEvents;
	}

	/**
	 * The user has read everything up to a position.
	 * @throws io.parley.server.refusal.RefusedException when the user is no member or the
	 * position is beyond the newest event
	 */
	void read(String room, String user, long position) {
		this.members.require(room, user);
		if (position < 0 || !this.history.isKnown(room, position)) {
			throw Refusal.BAD_POSITION.because("Room " + room + " has no position " + position + ".");
		}
		this.read.advance(room, user, position);
		long furthest = this.read.position(room, user);
		this.signals.read(room, user, furthest);
		tellUnread(room, List.of(user), this.userEvents::send);
	}

	/**
	 * Tells the devices that users have on this server how many messages lie after what
	 * they have read.
	 */
	void tellUnreadHere(String room, Collection<String> users) {
		tellUnread(room, users, this.userEvents::sendHere);
	}

	private void tellUnread(String room, Collection<String> users, BiConsumer<String, UnreadChanged> tell) {
		Head storedHead = this.stored.head(room);
		Head head = this.history.head(room, storedHead);
		for (String user : users) {
			long position = this.read.position(room, user);
			long unread = head.number() - this.history.numberAt(room, position, storedHead);
			tell.accept(user, new UnreadChanged(room, Math.max(0, unread), head.position(), position));
		}
	}

}
