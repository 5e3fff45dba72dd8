package io.parley.server.room;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.parley.server.refusal.Refusal;
import io.parley.store.room.Blocks;
import io.parley.store.room.Room;
import io.parley.store.room.RoomRepository;

import org.springframework.stereotype.Component;

/**
 * In which direct rooms one of the two has blocked the other; asked for each message.
 * What changes is forgotten on every server; the expiry is for a server that was not
 * told.
 */
@Component
public class DirectBlocks {

	private static final Duration EXPIRY = Duration.ofSeconds(30);

	private final RoomRepository rooms;

	private final Blocks blocks;

	private final LoadingCache<String, State> states;

	DirectBlocks(RoomRepository rooms, Blocks blocks) {
		this.rooms = rooms;
		this.blocks = blocks;
		this.states = Caffeine.newBuilder()
			.maximumSize(100_000)
			.expireAfter(Expiry.<String, State>writing((room, state) -> state.expiry))
			.build(this::load);
	}

	private enum State {

		/** A group or channel, where blocks do not count. It stays one. */
		NOT_DIRECT(Duration.ofDays(1)),

		OPEN(EXPIRY),

		BLOCKED(EXPIRY);

		private final Duration expiry;

		State(Duration expiry) {
			this.expiry = expiry;
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
	 * @throws io.parley.server.refusal.RefusedException when there is one
	 */
	public void requireOpen(String room) {
		if (this.states.get(room) == State.BLOCKED) {
			throw Refusal.NOT_ALLOWED.because("Messages between the two of you are blocked.");
		}
	}

	/** Asks the store the next time. */
	public void forget(String room) {
		this.states.invalidate(room);
	}

}
