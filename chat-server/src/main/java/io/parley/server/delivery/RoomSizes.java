package io.parley.server.delivery;

import java.time.Duration;

import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.store.room.Room;
import io.parley.store.room.RoomRepository;

import org.springframework.stereotype.Component;

/**
 * Which rooms are told of presence and read markers: those of up to 100 members, because
 * in larger ones somebody always comes, goes or reads.
 */
@Component
class RoomSizes {

	static final int MAX_MEMBERS = 100;

	private static final int MOST = 10_000;

	private static final Duration FRESH = Duration.ofSeconds(30);

	private final LastKnownCache<String, Boolean> small;

	RoomSizes(Database database, RoomRepository rooms) {
		this.small = new LastKnownCache<>(database, MOST, (small) -> FRESH,
				(room) -> rooms.findById(room).map(Room::getMemberCount).filter(RoomSizes::isSmall).isPresent());
	}

	static boolean isSmall(int members) {
		return members <= MAX_MEMBERS;
	}

	/** Whether the room is small, as it was known lately. */
	boolean isSmall(String room) {
		return this.small.get(room);
	}

}
