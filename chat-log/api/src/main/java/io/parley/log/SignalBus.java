package io.parley.log;

import java.util.function.Consumer;

/**
 * Transient signals between the processes that share a log: typing, presence, and news
 * for a user's other devices. Each signal normally reaches every other process once and
 * soon; signals of one process keep their order. Signals are lost when the broker is
 * unavailable or a process is slow, so this bus must not be used for anything that must
 * not be lost.
 *
 * <p>
 * All methods are safe for use by many threads.
 */
public interface SignalBus {

	/** The bus of a log that only one process uses: there are no other processes. */
	SignalBus ALONE = new SignalBus() {

		@Override
		public void publish(byte[] signal) {
		}

		@Override
		public void listen(Consumer<byte[]> listener) {
		}

	};

	/**
	 * Sends a signal to the other processes. Does not wait.
	 * @param signal 1 byte to 1,000 KiB; must not be modified afterwards
	 */
	void publish(byte[] signal);

	/**
	 * Receives the signals that the other processes publish from now on, until the log is
	 * closed. Must be called only once.
	 * @param listener called by one thread, which it must not block for long
	 */
	void listen(Consumer<byte[]> listener);

}
