package io.parley.loadtest.study.transports;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * Checks every delivery of a round: each client gets each message that it should, once,
 * whole, and those of one sender in their order. Safe for concurrent use.
 */
final class Tally {

	private static final int MAX_KINDS = 10;

	private final Cell cell;

	private final Receiver[] receivers;

	/** Copies of each message that are not there yet. */
	private final AtomicIntegerArray copiesLeft;

	/** What each sender may have under way. */
	private final Semaphore[] windows;

	private final AtomicInteger unfinished;

	private final CountDownLatch finished = new CountDownLatch(1);

	private final ConcurrentMap<String, AtomicInteger> problems = new ConcurrentHashMap<>();

	/** What one client got. */
	private final class Receiver {

		/** The sequence that comes next from each sender. */
		private final int[] next = new int[Tally.this.cell.clients()];

		private volatile int arrived;

		/** Takes a message if it is new; true when it is the one that had to come. */
		private synchronized boolean takes(int sender, int sequence) {
			boolean inOrder = this.next[sender] == sequence;
			if (inOrder) {
				this.next[sender]++;
				this.arrived = this.arrived + 1;
			}
			return inOrder;
		}

	}

	Tally(Cell cell) {
		this.cell = cell;
		this.receivers = IntStream.range(0, cell.clients()).mapToObj((n) -> new Receiver()).toArray(Receiver[]::new);
		this.windows = IntStream.range(0, cell.clients())
			.mapToObj((n) -> new Semaphore(cell.window()))
			.toArray(Semaphore[]::new);
		this.copiesLeft = new AtomicIntegerArray(cell.clients() * cell.messages());
		IntStream.range(0, this.copiesLeft.length()).forEach((n) -> this.copiesLeft.set(n, cell.copies()));
		this.unfinished = new AtomicInteger(cell.clients());
	}

	/** A client got a message. */
	void arrived(int receiver, int sender, int sequence, int length) {
		if (sender >= this.cell.clients() || sequence >= this.cell.messages() || length < this.cell.bytes()) {
			failed("cut or strange");
		}
		else if (!this.cell.toAll() && sender != receiver) {
			failed("delivered to somebody else");
		}
		else if (this.receivers[receiver].takes(sender, sequence)) {
			counted(receiver, sender, sequence);
		}
		else {
			failed("doubled, out of order, or after a loss");
		}
	}

	private void counted(int receiver, int sender, int sequence) {
		if (this.copiesLeft.decrementAndGet(sender * this.cell.messages() + sequence) == 0) {
			this.windows[sender].release();
		}
		if (this.receivers[receiver].arrived == this.cell.perClient() && this.unfinished.decrementAndGet() == 0) {
			this.finished.countDown();
		}
	}

	/** Something went wrong, which ends the round. */
	void failed(String kind) {
		boolean known = this.problems.containsKey(kind) || this.problems.size() < MAX_KINDS;
		this.problems.computeIfAbsent(known ? kind : "other", (key) -> new AtomicInteger()).incrementAndGet();
		this.finished.countDown();
	}

	/** Waits until this client may send its next message. */
	void awaitWindow(int sender) throws InterruptedException {
		this.windows[sender].acquire();
	}

	/** Waits for the last delivery or a failure; false when it is not there in time. */
	boolean await(Duration longest) throws InterruptedException {
		return this.finished.await(longest.toNanos(), TimeUnit.NANOSECONDS);
	}

	long arrived() {
		long sum = 0;
		for (Receiver receiver : this.receivers) {
			sum += receiver.arrived;
		}
		return sum;
	}

	/** What went wrong, and how often. */
	Map<String, Integer> problems() {
		Map<String, Integer> counts = new TreeMap<>();
		this.problems.forEach((kind, count) -> counts.put(kind, count.get()));
		return counts;
	}

}
