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
 * In which direct rooms one of the two has blocked the other; asked for each message.
 * What changes is forgotten on every server; that an answer grows old is for a server
 * that was not told. While the database is away, what was known before counts on.
 */
@Component
public class DirectBlocks {

	private static final int MOST = 100_000;

	private static final Duration FRESH = Duration.ofSeconds(30);

	private final RoomRepository rooms;

	private final BlockRepository blocks;

	private final LastKnownCache<String, State> states;

	DirectBlocks(Database database, RoomRepository rooms, BlockRepository blocks) {
		this.rooms = rooms;
		this.blocks = blocks;
		this.states = new LastKnownCache<>(database, MOST, (state) -> state.fresh, this::load);
	}

	private enum State {

		/** A group or channel, where blocks do not count. It stays one. */
		NOT_DIRECT(Duration.ofDays(1)),

		OPEN(FRESH),

		BLOCKED(FRESH);

		private final Duration fresh;

		State(Duration fresh) {
			this.fresh = fresh;
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
	 * Refuses to write in a direct room with a block between the two.
	 * @throws io.parley.server.error.ChatException when there is one, or nobody knows
	 * because the database is away
	 */
	public void requireOpen(String room) {
		if (this.states.get(room) == State.BLOCKED) {
			throw ErrorCode.NOT_ALLOWED.because("Messages between the two of you are blocked.");
		}
	}

	/** Asks the store the next time. Does not wait for it. */
	public void forget(String room) {
		this.states.forget(room);
	}

}
