package io.parley.server.delivery;

import java.time.Duration;

import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.store.room.Room;
import io.parley.store.room.RoomRepository;

import org.springframework.stereotype.Component;

/**
 * Decides which rooms get signals about presence and read markers: those of up to 100
 * members. In larger rooms, the members would cause such signals all the time.
 */
@Component
class RoomSizes {

	static final int MAX_MEMBERS = 100;

	private static final int MAX_CACHED = 10_000;

	private static final Duration FRESH = Duration.ofSeconds(30);

	private final LastKnownCache<String, Boolean> small;

	RoomSizes(Database database, RoomRepository rooms) {
		this.small = new LastKnownCache<>(database, MAX_CACHED, (small) -> FRESH,
				(room) -> rooms.findById(room).map(Room::getMemberCount).filter(RoomSizes::isSmall).isPresent());
	}

	static boolean isSmall(int members) {
		return members <= MAX_MEMBERS;
	}

	/** Returns whether the room is small. The answer is cached. */
	boolean isSmall(String room) {
		return this.small.get(room);
	}

}
