package io.parley.log.claim;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeasedReaderTests {

	private final SwitchedLease lease = new SwitchedLease();

	private final LeasedReader reader = new LeasedReader(this.lease, () -> 7, CountingReader::new,
			new ReaderRegistry());

	private List<Long> poll() throws InterruptedException {
		return this.reader.poll(2, Duration.ofMillis(1)).stream().map(LogRecord::offset).toList();
	}

	@Test
	void readsOnWhileItHoldsTheLease() throws InterruptedException {
		assertThat(poll()).containsExactly(7L, 8L);
		assertThat(poll()).containsExactly(9L, 10L);
	}

	/**
	 * The records were taken from the log and then not returned: they must come again.
	 */
	@Test
	void readsAgainWhatItReadWhileTheLeaseWasLost() throws InterruptedException {
		this.lease.lostDuringPoll = true;
		assertThat(poll()).isEmpty();
		this.lease.lostDuringPoll = false;
		this.lease.held = true;
		assertThat(poll()).containsExactly(7L, 8L);
	}

	@Test
	void readsNothingWithoutTheLease() throws InterruptedException {
		this.lease.held = false;
		assertThat(poll()).isEmpty();
	}

	/** Returns consecutive offsets and takes the lease away during a poll when asked. */
	private final class CountingReader implements LogReader {

		private long next;

		CountingReader(long from) {
			this.next = from;
		}

		@Override
		public List<LogRecord> poll(int maxRecords, Duration timeout) {
			LeasedReaderTests.this.lease.held = !LeasedReaderTests.this.lease.lostDuringPoll;
			List<LogRecord> records = List.of(new LogRecord(0, this.next, new byte[0]),
					new LogRecord(0, this.next + 1, new byte[0]));
			this.next += 2;
			return records;
		}

		@Override
		public void close() {
		}

	}

	/** A lease whose term stays the same. */
	private static final class SwitchedLease implements ReaderLease {

		private boolean held = true;

		private boolean lostDuringPoll;

		@Override
		public void enter() {
		}

		@Override
		public long await(long nanos) {
			return this.held ? 1 : 0;
		}

		@Override
		public boolean isHeld(long term) {
			return this.held;
		}

		@Override
		public void end(Supplier<RuntimeException> cause) {
		}

		@Override
		public void leave() {
		}

	}

}
