package io.parley.server.room;

import java.time.Duration;

import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.error.ErrorCode;
import io.parley.store.room.BlockRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomRepository;

import org.springframework.stereotype.Component;

/**
 * Caches which direct rooms are blocked by one of their two members; checked for each
 * message. A change removes the entry on every server. Entries also expire, for a server
 * that missed the change. While the database is unavailable, the last known state stays
 * valid. Safe for use by many threads.
 */
@Component
public class DirectBlocks {

	private static final int MAX_ENTRIES = 100_000;

	private static final Duration TIME_TO_LIVE = Duration.ofSeconds(30);

	private final RoomRepository rooms;

	private final BlockRepository blocks;

	private final LastKnownCache<String, State> states;

	DirectBlocks(Database database, RoomRepository rooms, BlockRepository blocks) {
		this.rooms = rooms;
		this.blocks = blocks;
		this.states = new LastKnownCache<>(database, MAX_ENTRIES, (state) -> state.timeToLive, this::load);
	}

	private enum State {

		/**
		 * A group or channel, where blocks do not apply. A room never changes its kind.
		 */
		NOT_DIRECT(Duration.ofDays(1)),

		OPEN(TIME_TO_LIVE),

		BLOCKED(TIME_TO_LIVE);

		private final Duration timeToLive;

		State(Duration timeToLive) {
			this.timeToLive = timeToLive;
		}

	}

	private State load(String room) {
		String key = this.rooms.findById(room).map(Room::getDirectKey).orElse(null);
		if (key == null) {
			return State.NOT_DIRECT;
		}
		String[] both = DirectKey.users(key);
		return this.blocks.between(both[0], both[1]) ? State.BLOCKED : State.OPEN;
	}

	/**
	 * Requires that neither member of a direct room has blocked the other. Always passes
	 * for other rooms.
	 * @throws io.parley.server.error.ChatException {@code not-allowed} if there is a
	 * block, {@code store-unavailable} if the database is unavailable and the state is
	 * not known
	 */
	public void requireOpen(String room) {
		if (!isOpen(room)) {
			throw ErrorCode.NOT_ALLOWED.because("Messages between the two of you are blocked.");
		}
	}

	/**
	 * Returns whether neither member of a direct room has blocked the other; true for
	 * other rooms.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if the
	 * database is unavailable and the state is not known
	 */
	public boolean isOpen(String room) {
		return this.states.get(room) != State.BLOCKED;
	}

	/** Removes the entry, so that the next call queries the database. Does not block. */
	public void forget(String room) {
		this.states.forget(room);
	}

}
