package io.parley.log.embedded;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import org.jspecify.annotations.Nullable;

/** A reader that waits in a {@link LeaseQueue} and reads while it is first. */
final class EmbeddedLeasedReader implements LogReader {

	private final LeaseQueue.Place place;

	private final LongSupplier fromOffset;

	private final LongFunction<LogReader> follow;

	private volatile @Nullable LogReader active;

	private volatile boolean closed;

	EmbeddedLeasedReader(LeaseQueue.Place place, LongSupplier fromOffset, LongFunction<LogReader> follow) {
		this.place = place;
		this.fromOffset = fromOffset;
		this.follow = follow;
	}

	@Override
	public List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException {
		long left = this.place.awaitLease(TimeUnit.NANOSECONDS.convert(timeout));
		return (left > 0) ? active().poll(maxRecords, Duration.ofNanos(left)) : List.of();
	}

	/**
	 * Returns the reader of the partition. If {@code fromOffset} fails, the next poll
	 * calls it again.
	 */
	private LogReader active() {
		LogReader reader = this.active;
		if (reader == null) {
			reader = this.follow.apply(this.fromOffset.getAsLong());
			this.active = reader;
			if (this.closed) {
				throw new LogClosedException("The reader is closed");
			}
		}
		return reader;
	}

	@Override
	public void close() {
		this.closed = true;
		LogReader reader = this.active;
		if (reader != null) {
			reader.close();
		}
		this.place.leave();
	}

}
