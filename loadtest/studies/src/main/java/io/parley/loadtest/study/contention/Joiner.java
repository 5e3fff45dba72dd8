package io.parley.loadtest.study.contention;

import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

import org.springframework.transaction.TransactionDefinition;

/**
 * Takes places in rooms under contention.
 */
interface Joiner extends AutoCloseable {

	/**
	 * Takes a place for a user.
	 * @return false when none is left
	 */
	boolean join(String room, String user) throws Exception;

	@Override
	default void close() throws Exception {
	}

	/**
	 * Returns the implementation of a strategy.
	 * @param folder for the data of a broker
	 */
	static Joiner of(JoinStrategy strategy, RoomTable rooms, Path folder) throws Exception {
		return switch (strategy) {
			case KAFKA -> new KafkaJoiner(rooms, folder);
			case MUTEX -> mutex(rooms);
			case SEMAPHORE -> semaphore(rooms);
			case PESSIMISTIC ->
				(room, user) -> rooms.join(room, user, TransactionDefinition.ISOLATION_READ_COMMITTED, true);
			case SERIALIZABLE ->
				(room, user) -> rooms.join(room, user, TransactionDefinition.ISOLATION_SERIALIZABLE, false);
			case PARLEY -> throw new IllegalArgumentException("Parley has a server of its own");
		};
	}

	private static Joiner mutex(RoomTable rooms) {
		ReentrantLock lock = new ReentrantLock();
		return (room, user) -> {
			lock.lock();
			try {
				return plain(rooms, room, user);
			}
			finally {
				lock.unlock();
			}
		};
	}

	private static Joiner semaphore(RoomTable rooms) {
		Semaphore semaphore = new Semaphore(1, true);
		return (room, user) -> {
			semaphore.acquire();
			try {
				return plain(rooms, room, user);
			}
			finally {
				semaphore.release();
			}
		};
	}

	/**
	 * Checks for a free place and takes it. The caller must make sure that no other
	 * request does so concurrently.
	 */
	static boolean plain(RoomTable rooms, String room, String user) {
		return rooms.join(room, user, TransactionDefinition.ISOLATION_READ_COMMITTED, false);
	}

}
