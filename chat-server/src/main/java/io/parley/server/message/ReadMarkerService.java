package io.parley.server.message;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import io.parley.server.delivery.MarkerSignals;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.UnreadChanged;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.StoreFailures;
import io.parley.server.room.ReadPositions;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.History;
import io.parley.server.timeline.RoomHeadReader;
import io.parley.store.event.RoomPosition;
import io.parley.store.room.ReadMarker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Moves read markers and notifies the room and the user's other devices. Safe for use by
 * many threads.
 */
@Component
class ReadMarkerService {

	private static final Logger log = LoggerFactory.getLogger(ReadMarkerService.class);

	private static final Duration PAUSE = Duration.ofMillis(100);

	/** Whether a thread handles the markers that wait. */
	private final AtomicBoolean running = new AtomicBoolean();

	private final RoomAccess access;

	private final History history;

	private final RoomHeadReader heads;

	private final ReadPositions read;

	private final MarkerSignals signals;

	private final UserEvents userEvents;

	ReadMarkerService(RoomAccess access, History history, RoomHeadReader heads, ReadPositions read,
			MarkerSignals signals, UserEvents userEvents) {
		this.access = access;
		this.history = history;
		this.heads = heads;
		this.read = read;
		this.signals = signals;
		this.userEvents = userEvents;
	}

	/**
	 * Marks everything up to a position as read by the user. Returns at once: the room
	 * and the other devices are notified soon after, unless the marker does not move.
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
		this.read.read(room, user, position);
		start();
	}

	/** The first marker is handled at once, those of the next moment together. */
	private void start() {
		if (this.running.compareAndSet(false, true)) {
			Thread.ofVirtual().name("read-markers").start(this::run);
		}
	}

	private void run() {
		try {
			while (this.read.hasWaiting()) {
				notify(this.read.moveWaiting());
				Thread.sleep(PAUSE);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.running.set(false);
		}
		if (this.read.hasWaiting()) {
			start();
		}
	}

	private void notify(List<ReadMarker> moved) {
		try {
			this.signals.moved(MarkerSignals.Kind.READ, moved);
			notifyOwnDevices(moved);
		}
		catch (RuntimeException ex) {
			if (!StoreFailures.isUnavailable(ex) && !StoreFailures.isConnectionFailure(ex)) {
				log.warn("Failed to report {} read markers", moved.size(), ex);
			}
		}
	}

	/**
	 * Sends the new unread counts. While the database is unavailable, a count cannot be
	 * computed and is not sent, unless everything is read.
	 */
	private void notifyOwnDevices(List<ReadMarker> moved) {
		Map<String, Long> heads = this.heads.known(moved.stream().map(ReadMarker::room).toList());
		List<ReadMarker> counted = new ArrayList<>();
		for (ReadMarker marker : moved) {
			Long head = heads.get(marker.room());
			if (head != null && marker.position() >= head) {
				this.userEvents.send(marker.username(),
						new UnreadChanged(marker.room(), 0, 0, head, marker.position()));
			}
			else {
				counted.add(marker);
			}
		}
		notifyUnread(counted, this.userEvents::send);
	}

	/**
	 * Sends unread counts to the users' devices that are connected to this server.
	 * @param recipients users of rooms, with any positions
	 */
	void notifyUnreadHere(Collection<ReadMarker> recipients) {
		if (!recipients.isEmpty()) {
			notifyUnread(this.read.current(recipients), this.userEvents::sendHere);
		}
	}

	private void notifyUnread(List<ReadMarker> markers, BiConsumer<String, UnreadChanged> sender) {
		if (markers.isEmpty()) {
			return;
		}
		RoomHeadReader.Snapshot heads = this.heads.of(markers.stream().map(ReadMarker::room).distinct().toList());
		Map<RoomPosition, Long> unread = heads
			.unreadAfter(markers.stream().map(ReadMarkerService::position).distinct().toList());
		Map<ReadMarker, Long> mentions = heads.mentionsAfter(markers);
		for (ReadMarker marker : markers) {
			sender.accept(marker.username(), new UnreadChanged(marker.room(), unread.getOrDefault(position(marker), 0L),
					mentions.getOrDefault(marker, 0L), heads.head(marker.room()).position(), marker.position()));
		}
	}

	private static RoomPosition position(ReadMarker marker) {
		return new RoomPosition(marker.room(), marker.position());
	}

}
