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

/** Stands in line, and reads when it is its turn. */
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
		long left = this.place.awaitTurn(TimeUnit.NANOSECONDS.convert(timeout));
		return (left > 0) ? active().poll(maxRecords, Duration.ofNanos(left)) : List.of();
	}

	/** When {@code fromOffset} fails, the next poll asks it again. */
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
