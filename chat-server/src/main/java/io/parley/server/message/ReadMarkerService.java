package io.parley.server.message;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.parley.server.delivery.ReadSignals;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.UnreadChanged;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.StoreFailures;
import io.parley.server.room.ReadPositions;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.History;
import io.parley.server.timeline.RoomHeads;
import io.parley.store.event.RoomHead;
import io.parley.store.event.RoomPosition;

import org.springframework.stereotype.Component;

/**
 * Moves read markers and notifies the room and the user's other devices. Safe for use by
 * many threads.
 */
@Component
class ReadMarkerService {

	private final RoomAccess access;

	private final History history;

	private final RoomHeads heads;

	private final ReadPositions read;

	private final ReadSignals signals;

	private final UserEvents userEvents;

	ReadMarkerService(RoomAccess access, History history, RoomHeads heads, ReadPositions read, ReadSignals signals,
			UserEvents userEvents) {
		this.access = access;
		this.history = history;
		this.heads = heads;
		this.read = read;
		this.signals = signals;
		this.userEvents = userEvents;
	}

	/**
	 * Marks everything up to a position as read by the user. A marker that does not move
	 * notifies nobody.
	 * @throws io.parley.server.error.ChatException if the user is not a member or the
	 * position is beyond the newest event
	 */
	void read(String room, String user, long position) {
		this.access.require(RoomAction.READ, room, user);
		if (position >= 0 && this.read.isKnown(room, user, position)) {
			return;
		}
		if (position < 0 || !this.history.isKnown(room, position)) {
			throw ErrorCode.BAD_POSITION.because("Room " + room + " has no position " + position + ".");
		}
		if (this.read.move(room, user, position)) {
			this.signals.read(room, user, position);
			notifyOwnDevices(room, user, position);
		}
	}

	/**
	 * Sends the new unread count. While the database is unavailable, a count cannot be
	 * computed and is not sent, unless everything is read.
	 */
	private void notifyOwnDevices(String room, String user, long position) {
		try {
			sendUnreadToOwnDevices(room, user, position);
		}
		catch (RuntimeException ex) {
			if (!StoreFailures.isUnavailable(ex) && !StoreFailures.isConnectionFailure(ex)) {
				throw ex;
			}
		}
	}

	private void sendUnreadToOwnDevices(String room, String user, long position) {
		long head = this.heads.position(room);
		if (position >= head) {
			this.userEvents.send(user, new UnreadChanged(room, 0, head, position));
		}
		else {
			notifyUnread(room, Map.of(user, position), this.userEvents::send);
		}
	}

	/** Sends unread counts to the users' devices that are connected to this server. */
	void notifyUnreadHere(String room, Collection<String> users) {
		Map<String, Long> positions = new HashMap<>(this.read.positionsIn(room, users));
		users.forEach((user) -> positions.putIfAbsent(user, 0L));
		notifyUnread(room, positions, this.userEvents::sendHere);
	}

	private void notifyUnread(String room, Map<String, Long> positions, BiConsumer<String, UnreadChanged> sender) {
		RoomHeads.Snapshot heads = this.heads.of(List.of(room));
		RoomHead head = heads.head(room);
		Map<RoomPosition, Long> numbers = heads.numbersAt(
				positions.values().stream().distinct().map((position) -> new RoomPosition(room, position)).toList());
		positions.forEach((user, position) -> {
			long number = numbers.getOrDefault(new RoomPosition(room, position), 0L);
			sender.accept(user,
					new UnreadChanged(room, Math.max(0, head.number() - number), head.position(), position));
		});
	}

}
