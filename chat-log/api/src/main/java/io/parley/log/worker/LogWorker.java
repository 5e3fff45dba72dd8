package io.parley.log.worker;

import java.time.Duration;

import io.parley.log.RoomLog;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * A worker that reads the room log. It starts before the web server and stops after it.
 * When the log is replaced, it marks the application as {@linkplain LivenessState#BROKEN
 * broken}: the application must be restarted.
 */
public abstract class LogWorker implements SmartLifecycle {

	private static final int PHASE = 0;

	private final PartitionedReader reader;

	/**
	 * @param name the name of the reader
	 * @param events receives the event that the application is broken
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

	/** Returns the name of the reader. */
	public String name() {
		return this.reader.name();
	}

	/**
	 * Returns the {@linkplain PartitionedReader#oldestUnread() age} of the oldest unread
	 * record.
	 */
	public Duration oldestUnread() {
		return this.reader.oldestUnread();
	}

	/**
	 * Returns {@linkplain PartitionedReader#lag() how many} records the worker is behind.
	 */
	public long lag() {
		return this.reader.lag();
	}

}
