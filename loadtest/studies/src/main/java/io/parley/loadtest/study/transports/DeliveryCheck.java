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
import java.util.stream.Stream;

/**
 * Checks every delivery of a round: each client must receive each of its messages exactly
 * once, complete, and in order for each sender. Safe for use by many threads.
 */
final class DeliveryCheck {

	private static final int MAX_KINDS = 10;

	private final Cell cell;

	private final Receiver[] receivers;

	private final AtomicIntegerArray copiesLeft;

	private final Semaphore[] windows;

	private final AtomicInteger unfinished;

	private final CountDownLatch finished = new CountDownLatch(1);

	private final ConcurrentMap<String, Integer> problems = new ConcurrentHashMap<>();

	/**
	 * The messages received by one client.
	 */
	private final class Receiver {

		private final int[] next = new int[DeliveryCheck.this.cell.clients()];

		private volatile int arrived;

		/**
		 * Accepts a message if it is the next one of its sender.
		 * @return whether it was accepted
		 */
		private synchronized boolean accept(int sender, int sequence) {
			boolean inOrder = this.next[sender] == sequence;
			if (inOrder) {
				this.next[sender]++;
				this.arrived = this.arrived + 1;
			}
			return inOrder;
		}

	}

	DeliveryCheck(Cell cell) {
		this.cell = cell;
		this.receivers = IntStream.range(0, cell.clients()).mapToObj((n) -> new Receiver()).toArray(Receiver[]::new);
		this.windows = IntStream.range(0, cell.clients())
			.mapToObj((n) -> new Semaphore(cell.window()))
			.toArray(Semaphore[]::new);
		this.copiesLeft = new AtomicIntegerArray(cell.clients() * cell.messages());
		IntStream.range(0, this.copiesLeft.length()).forEach((n) -> this.copiesLeft.set(n, cell.copies()));
		this.unfinished = new AtomicInteger(cell.clients());
	}

	void arrived(int receiver, int sender, int sequence, int length) {
		if (sender >= this.cell.clients() || sequence >= this.cell.messages() || length < this.cell.bytes()) {
			failed("incomplete or unknown");
		}
		else if (!this.cell.toAll() && sender != receiver) {
			failed("delivered to another client");
		}
		else if (this.receivers[receiver].accept(sender, sequence)) {
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

	/**
	 * Records a failure, which ends the round.
	 */
	void failed(String kind) {
		boolean known = this.problems.containsKey(kind) || this.problems.size() < MAX_KINDS;
		this.problems.merge(known ? kind : "other", 1, Integer::sum);
		this.finished.countDown();
	}

	void awaitWindow(int sender) throws InterruptedException {
		this.windows[sender].acquire();
	}

	/**
	 * Waits for the last delivery or a failure.
	 * @return false when the time is over
	 */
	boolean await(Duration longest) throws InterruptedException {
		return this.finished.await(longest.toNanos(), TimeUnit.NANOSECONDS);
	}

	long arrived() {
		return Stream.of(this.receivers).mapToLong((receiver) -> receiver.arrived).sum();
	}

	Map<String, Integer> problems() {
		return new TreeMap<>(this.problems);
	}

}
