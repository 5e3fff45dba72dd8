package io.parley.loadtest.study.contention;

import java.sql.Connection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/** A way to take a place in a room that others want at the same time. */
interface Joining extends AutoCloseable {

	/**
	 * Takes a place for somebody.
	 * @return false when none is left
	 */
	boolean join(String room, String user) throws Exception;

	@Override
	default void close() throws Exception {
	}

	/** One at a time in this process. */
	static Joining mutex(RoomTable rooms) {
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

	/** One at a time in this process, in the order of coming. */
	static Joining semaphore(RoomTable rooms) {
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

	/** One at a time for each room in the database. */
	static Joining pessimistic(RoomTable rooms) {
		return (room, user) -> rooms.join(room, user, Connection.TRANSACTION_READ_COMMITTED, true);
	}

	/** All at once; those that the database cannot put into an order fail. */
	static Joining serializable(RoomTable rooms) {
		return (room, user) -> rooms.join(room, user, Connection.TRANSACTION_SERIALIZABLE, false);
	}

	/** Looks and takes, for somebody who knows that nobody else does. */
	static boolean plain(RoomTable rooms, String room, String user) throws Exception {
		return rooms.join(room, user, Connection.TRANSACTION_READ_COMMITTED, false);
	}

}
