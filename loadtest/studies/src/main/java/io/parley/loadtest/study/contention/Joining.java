package io.parley.loadtest.study.contention;

import java.sql.Connection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A way to take a place in a room under contention.
 */
interface Joining extends AutoCloseable {

	/**
	 * Takes a place for a user.
	 * @return false when none is left
	 */
	boolean join(String room, String user) throws Exception;

	@Override
	default void close() throws Exception {
	}

	/**
	 * Allows one request at a time in this process.
	 */
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

	/**
	 * Allows one request at a time in this process, in order of arrival.
	 */
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

	/**
	 * Allows one request at a time for each room, by a lock in the database.
	 */
	static Joining pessimistic(RoomTable rooms) {
		return (room, user) -> rooms.join(room, user, Connection.TRANSACTION_READ_COMMITTED, true);
	}

	/**
	 * Runs all requests concurrently. Transactions that the database cannot serialize
	 * fail.
	 */
	static Joining serializable(RoomTable rooms) {
		return (room, user) -> rooms.join(room, user, Connection.TRANSACTION_SERIALIZABLE, false);
	}

	/**
	 * Checks for a free place and takes it. The caller must make sure that no other
	 * request does so concurrently.
	 */
	static boolean plain(RoomTable rooms, String room, String user) throws Exception {
		return rooms.join(room, user, Connection.TRANSACTION_READ_COMMITTED, false);
	}

}
