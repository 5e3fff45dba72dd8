package io.parley.server.delivery;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.store.Chunks;
import io.parley.store.room.RoomMembers;

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

	private final Database database;

	private final RoomMembers members;

	RoomSizes(Database database, RoomMembers members) {
		this.database = database;
		this.members = members;
		this.small = new LastKnownCache<>(database, MAX_CACHED, (small) -> FRESH,
				(room) -> members.counts(List.of(room)).values().stream().anyMatch(RoomSizes::isSmall));
	}

	static boolean isSmall(int members) {
		return members <= MAX_MEMBERS;
	}

	/** Looks up many rooms with few queries. */
	void load(Collection<String> rooms) {
		List<String> unknown = rooms.stream().distinct().filter((room) -> !this.small.isFresh(room)).toList();
		for (List<String> chunk : Chunks.of(unknown)) {
			this.database.query(() -> this.members.counts(chunk))
				.forEach((room, count) -> this.small.put(room, isSmall(count)));
		}
	}

	/** Returns whether the room is small. The answer is cached. */
	boolean isSmall(String room) {
		return this.small.get(room);
	}

}
