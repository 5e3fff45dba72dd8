package io.parley.server.delivery;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
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

	private final LoadingCache<String, Boolean> small;

	RoomSizes(RoomRepository rooms) {
		this.small = Caffeine.newBuilder()
			.maximumSize(10_000)
			.expireAfterWrite(Duration.ofSeconds(30))
			.build((room) -> rooms.findById(room).map(Room::getMemberCount).filter(RoomSizes::isSmall).isPresent());
	}

	static boolean isSmall(int members) {
		return members <= MAX_MEMBERS;
	}

	/** Whether the room is small, as it was known at most 30 s ago. */
	boolean isSmall(String room) {
		return this.small.get(room);
	}

}
