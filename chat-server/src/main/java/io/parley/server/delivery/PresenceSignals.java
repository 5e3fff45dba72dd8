package io.parley.server.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.parley.events.MemberJoined;
import io.parley.events.MemberLeft;
import io.parley.events.RoomCreated;
import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.presence.PresenceChanged;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.timeline.TailListener;
import io.parley.store.room.MemberRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Signals to the rooms of a user that the user came online, is away, or went offline.
 * Large rooms and blocked direct rooms get no signal.
 */
@Component
class PresenceSignals implements TailListener {

	private static final Logger log = LoggerFactory.getLogger(PresenceSignals.class);

	private static final Duration FRESH = Duration.ofSeconds(30);

	/** The small rooms of each user, without direct rooms that are blocked. */
	private final LastKnownCache<String, List<String>> rooms;

	private final RoomSignals signals;

	private final Queue<PresenceChanged> waiting = new ConcurrentLinkedQueue<>();

	PresenceSignals(Database database, MemberRepository members, RoomSignals signals) {
		this.rooms = new LastKnownCache<>(database, 100_000, (rooms) -> FRESH,
				(user) -> members.unblockedRoomsOf(user, RoomSizes.MAX_MEMBERS));
		this.signals = signals;
	}

	@Override
	public void onEvent(PositionedEvent event) {
		if (event.record().type().changesMembers()) {
			switch (event.record().event()) {
				case RoomCreated created -> created.members().forEach(this.rooms::forget);
				case MemberJoined joined -> this.rooms.forget(joined.member());
				case MemberLeft left -> this.rooms.forget(left.member());
				default -> {
				}
			}
		}
	}

	/** Looks up the rooms of a user again at the next change. Does not block. */
	void forget(String user) {
		this.rooms.forget(user);
	}

	/**
	 * Queues the change: the publishing thread writes to the store and must not be
	 * delayed.
	 */
	@EventListener
	void changed(PresenceChanged event) {
		this.waiting.add(event);
	}

	@Scheduled(fixedDelay = 250)
	void signalWaiting() {
		for (PresenceChanged event = this.waiting.poll(); event != null; event = this.waiting.poll()) {
			try {
				signal(event);
			}
			catch (RuntimeException ex) {
				log.debug("Failed to signal the presence of a user", ex);
			}
		}
	}

	private void signal(PresenceChanged event) {
		this.rooms.get(event.user()).forEach((room) -> this.signals.presence(room, event.user(), event.state()));
	}

}
