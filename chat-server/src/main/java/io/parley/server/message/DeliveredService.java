package io.parley.server.message;

import io.parley.server.delivery.MarkerSignals;
import io.parley.server.error.ErrorCode;
import io.parley.server.room.DeliveredPositions;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.History;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Takes from clients up to where messages have reached them, and signals it to the other
 * members. Safe for use by many threads.
 */
@Component
class DeliveredService {

	private final RoomAccess access;

	private final History history;

	private final DeliveredPositions delivered;

	private final MarkerSignals signals;

	DeliveredService(RoomAccess access, History history, DeliveredPositions delivered, MarkerSignals signals) {
		this.access = access;
		this.history = history;
		this.delivered = delivered;
		this.signals = signals;
	}

	/**
	 * Takes that everything up to a position has been delivered to the user. Returns at
	 * once: the room is told soon after, unless the marker does not move.
	 * @throws io.parley.server.error.ChatException if the user is not a member or the
	 * position is beyond the newest event
	 */
	void deliver(String room, String user, long position) {
		this.access.require(RoomAction.READ, room, user);
		if (position >= 0 && this.delivered.isKnown(room, user, position)) {
			return;
		}
		if (position < 0 || !this.history.isKnown(room, position)) {
			throw ErrorCode.BAD_POSITION.because("Room " + room + " has no position " + position + ".");
		}
		this.delivered.deliver(room, user, position);
	}

	/** One job, so that markers are moved by one thread at a time. */
	@Scheduled(fixedDelay = 200)
	void signalMoved() {
		while (this.delivered.hasWaiting()) {
			this.signals.moved(MarkerSignals.Kind.DELIVERED, this.delivered.moveWaiting());
		}
	}

}
