package io.parley.server.delivery;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.parley.server.session.PresenceChanged;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Room;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Tells the rooms of a user that they came or went. Large rooms are not told. */
@Component
class PresenceSignals {

	private static final Logger log = LoggerFactory.getLogger(PresenceSignals.class);

	private final MemberRepository members;

	private final RoomSignals signals;

	private final Queue<PresenceChanged> waiting = new ConcurrentLinkedQueue<>();

	PresenceSignals(MemberRepository members, RoomSignals signals) {
		this.members = members;
		this.signals = signals;
	}

	/** The thread that tells it writes the store and must not be held up. */
	@EventListener
	void changed(PresenceChanged event) {
		this.waiting.add(event);
	}

	@Scheduled(fixedDelay = 250)
	void tell() {
		for (PresenceChanged event = this.waiting.poll(); event != null; event = this.waiting.poll()) {
			try {
				tell(event);
			}
			catch (RuntimeException ex) {
				log.debug("Presence of a user was not told", ex);
			}
		}
	}

	private void tell(PresenceChanged event) {
		this.members.roomsOf(event.user())
			.stream()
			.filter((room) -> RoomSizes.isSmall(room.getMemberCount()))
			.map(Room::getId)
			.forEach((room) -> this.signals.presence(room, event.user(), event.online()));
	}

}
