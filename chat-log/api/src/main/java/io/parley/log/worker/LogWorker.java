package io.parley.log.worker;

import java.time.Duration;

import io.parley.log.RoomLog;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * A worker on the room log, started and stopped with its application: before the web
 * server and after it. When the log is replaced, the application is
 * {@linkplain LivenessState#BROKEN broken}: it must be started anew.
 */
public abstract class LogWorker implements SmartLifecycle {

	private static final int PHASE = 0;

	private final PartitionedReader reader;

	/**
	 * @param name its name among the readers of the log
	 * @param events hears that the application is broken
	 */
	protected LogWorker(String name, RoomLog log, BatchHandler handler, ReaderSettings settings,
			ApplicationEventPublisher events) {
		this.reader = new PartitionedReader(name, log, handler, settings,
				(replaced) -> AvailabilityChangeEvent.publish(events, replaced, LivenessState.BROKEN));
	}

	@Override
	public void start() {
		this.reader.start();
	}

	@Override
	public void stop() {
		this.reader.stop();
	}

	@Override
	public boolean isRunning() {
		return this.reader.isRunning();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/** Its name among the readers of the log. */
	public String name() {
		return this.reader.name();
	}

	/**
	 * {@linkplain PartitionedReader#oldestUnread() How old} the oldest unread record is.
	 */
	public Duration oldestUnread() {
		return this.reader.oldestUnread();
	}

	/** {@linkplain PartitionedReader#lag() How many} records it is behind. */
	public long lag() {
		return this.reader.lag();
	}

}
