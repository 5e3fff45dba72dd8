package io.parley.server.room;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;

import org.springframework.stereotype.Component;

/**
 * Lets what must not cross in a room happen one after the other on this server, including
 * the append to the log. Holds no connection to the database meanwhile. Safe for use by
 * many threads.
 */
@Component
public class RoomTurns {

	/** Longer than an append takes to fail, by default. */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);

	/** The locks of rooms as long as somebody uses them. */
	private final LoadingCache<String, Lock> locks = Caffeine.newBuilder()
		.weakValues()
		.build((room) -> new ReentrantLock(true));

	/**
	 * Runs an action when it is its turn in the room. Blocks until then.
	 * @throws ChatException {@code server-busy} if others take too long
	 */
	public <T> T take(String room, Supplier<T> action) {
		Lock lock = this.locks.get(room);
		try {
			if (!lock.tryLock(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)) {
				throw busy();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw busy();
		}
		try {
			return action.get();
		}
		finally {
			lock.unlock();
		}
	}

	private static ChatException busy() {
		return ErrorCode.SERVER_BUSY.because("Others change this room at the moment; send it again.");
	}

}
