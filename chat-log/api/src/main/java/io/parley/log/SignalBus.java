package io.parley.log;

import java.util.function.Consumer;

/**
 * What the processes that share a log tell each other and forget: typing, presence, news
 * for a user's other devices. Each signal reaches every other process once, soon, and
 * those of one process in their order; or, when the broker is away or somebody is slow,
 * not at all. Nothing that must not be lost belongs here.
 *
 * <p>
 * All methods may be called by any thread.
 */
public interface SignalBus {

	/** For a log that one process has for itself: nobody else is there. */
	SignalBus ALONE = new SignalBus() {

		@Override
		public void publish(byte[] signal) {
		}

		@Override
		public void listen(Consumer<byte[]> listener) {
		}

	};

	/**
	 * Tells the other processes. Does not wait.
	 * @param signal 1 byte to 1,000 KiB; not to be changed afterwards
	 */
	void publish(byte[] signal);

	/**
	 * Hears what the other processes publish from now on, until the log is closed. To be
	 * called once.
	 * @param listener called by one thread, which it must not block for long
	 */
	void listen(Consumer<byte[]> listener);

}
