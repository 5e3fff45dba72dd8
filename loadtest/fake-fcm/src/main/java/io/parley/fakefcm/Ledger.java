package io.parley.fakefcm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts of all requests, and the last requests in full. Safe for use by many threads.
 */
final class Ledger {

	private static final int KEPT = 10_000;

	private final AtomicLong requests = new AtomicLong();

	private final AtomicLong delivered = new AtomicLong();

	private final AtomicLong duplicates = new AtomicLong();

	private final LongCounts attempts = new LongCounts();

	private final LongCounts deliveries = new LongCounts();

	private final Deque<FcmRequest> kept = new ArrayDeque<>();

	private final Deque<FcmRequest> keptDeliveries = new ArrayDeque<>();

	/**
	 * Records a request and returns its index within its target, starting at 1.
	 */
	int request(FcmRequest request) {
		this.requests.incrementAndGet();
		keep(request, this.kept);
		return this.attempts.add(request.target());
	}

	void delivered(FcmRequest request) {
		if (request.dryRun()) {
			return;
		}
		this.delivered.incrementAndGet();
		keep(request, this.keptDeliveries);
		if (this.deliveries.add(request.identity()) > 1) {
			this.duplicates.incrementAndGet();
		}
	}

	private static void keep(FcmRequest request, Deque<FcmRequest> kept) {
		synchronized (kept) {
			if (kept.size() == KEPT) {
				kept.removeFirst();
			}
			kept.addLast(request);
		}
	}

	List<FcmRequest> kept() {
		synchronized (this.kept) {
			return List.copyOf(this.kept);
		}
	}

	List<FcmRequest> keptDeliveries() {
		synchronized (this.keptDeliveries) {
			return List.copyOf(this.keptDeliveries);
		}
	}

	int requests(String target) {
		return this.attempts.count(target);
	}

	Counts counts(Connections connections) {
		return new Counts(this.requests.get(), this.delivered.get(), this.attempts.size(), this.duplicates.get(),
				connections.total(), connections.mostStreams(), connections.mostAtOnce(),
				this.attempts.isComplete() && this.deliveries.isComplete());
	}

}
