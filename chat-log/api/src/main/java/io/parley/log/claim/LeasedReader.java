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
 * A reader that returns records only while it holds its {@link ReaderLease}. The first
 * poll joins the queue for the lease, so a claim that is never polled does not block
 * other readers.
 */
public final class LeasedReader implements LogReader {

	private final ReaderLease lease;

	private final LongSupplier fromOffset;

	private final Continuation continuation;

	private final ReaderRegistry registry;

	private final Consumer<Supplier<RuntimeException>> onLogEnd;

	private volatile @Nullable LogReader reader;

	private long readerTerm;

	/**
	 * Creates the reader, which does not queue for the lease yet.
	 * @param fromOffset called at the beginning of each lease term
	 * @param registry of the log, which ends the reader with the log
	 */
	public LeasedReader(ReaderLease lease, LongSupplier fromOffset, Continuation continuation,
			ReaderRegistry registry) {
		this.lease = lease;
		this.fromOffset = fromOffset;
		this.continuation = continuation;
		this.registry = registry;
		this.onLogEnd = lease::end;
		registry.add(this.onLogEnd);
	}

	@Override
	public List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
		this.lease.enter();
		long term = this.lease.await(TimeUnit.NANOSECONDS.convert(timeout));
		if (term == 0) {
			return List.of();
		}
		LogReader current = reader(term);
		if (!this.lease.isHeld(term)) {
			closeReader();
			return List.of();
		}
		List<LogRecord> records = current.poll(maxRecords, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
		if (!this.lease.isHeld(term)) {
			// Another reader may have these records. If the lease comes back in this
			// term, this reader must read them again.
			closeReader();
			return List.of();
		}
		return records;
	}

	/**
	 * Returns the reader for a lease term. If {@code fromOffset} fails, the next poll
	 * calls it again.
	 */
	private LogReader reader(long term) throws InterruptedException {
		LogReader current = this.reader;
		if (current == null || this.readerTerm != term) {
			closeReader();
			current = this.continuation.from(this.fromOffset.getAsLong());
			this.reader = current;
			this.readerTerm = term;
		}
		return current;
	}

	@Override
	public void close() {
		this.registry.remove(this.onLogEnd);
		closeReader();
		this.lease.leave();
	}

	private void closeReader() {
		LogReader open = this.reader;
		if (open != null) {
			this.reader = null;
			open.close();
		}
	}

	/** Opens the reader of a claimed partition. */
	@FunctionalInterface
	public interface Continuation {

		/** Returns a reader that starts at an offset. */
		LogReader from(long offset) throws InterruptedException;

	}

}
