package io.parley.log.claim;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads while it is its turn. The first poll stands in line, so a claim that nobody polls
 * holds up nobody.
 */
public final class LeasedReader implements LogReader {

	private final ReaderLease turn;

	private final LongSupplier fromOffset;

	private final Continuation continuation;

	private final ReaderRegistry endings;

	private final Consumer<Supplier<RuntimeException>> ending;

	private volatile @Nullable LogReader reader;

	private long readerTurn;

	/**
	 * Stands in no line yet.
	 * @param fromOffset asked whenever a turn begins
	 * @param endings of the log
	 */
	public LeasedReader(ReaderLease turn, LongSupplier fromOffset, Continuation continuation, ReaderRegistry endings) {
		this.turn = turn;
		this.fromOffset = fromOffset;
		this.continuation = continuation;
		this.endings = endings;
		this.ending = turn::end;
		endings.add(this.ending);
	}

	@Override
	public List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
		this.turn.enter();
		long now = this.turn.await(TimeUnit.NANOSECONDS.convert(timeout));
		if (now == 0) {
			return List.of();
		}
		LogReader current = reader(now);
		if (!this.turn.isStill(now)) {
			closeReader();
			return List.of();
		}
		List<LogRecord> records = current.poll(maxRecords, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
		return this.turn.isStill(now) ? records : List.of();
	}

	/** When {@code fromOffset} fails, the next poll asks it again. */
	private LogReader reader(long now) throws InterruptedException {
		LogReader current = this.reader;
		if (current == null || this.readerTurn != now) {
			closeReader();
			current = this.continuation.from(this.fromOffset.getAsLong());
			this.reader = current;
			this.readerTurn = now;
		}
		return current;
	}

	@Override
	public void close() {
		this.endings.remove(this.ending);
		closeReader();
		this.turn.leave();
	}

	private void closeReader() {
		LogReader open = this.reader;
		if (open != null) {
			this.reader = null;
			open.close();
		}
	}

	/** Where a claimed partition is read. */
	@FunctionalInterface
	public interface Continuation {

		/** Reads on from an offset. */
		LogReader from(long offset) throws InterruptedException;

	}

}
