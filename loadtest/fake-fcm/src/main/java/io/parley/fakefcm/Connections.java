package io.parley.fakefcm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.channel.Channel;

/**
 * Counts connections, and concurrent requests per connection and in total.
 */
final class Connections {

	private final Map<Channel, AtomicInteger> open = new ConcurrentHashMap<>();

	private final AtomicLong total = new AtomicLong();

	private final AtomicInteger mostStreams = new AtomicInteger();

	private final AtomicInteger now = new AtomicInteger();

	private final AtomicInteger mostAtOnce = new AtomicInteger();

	/**
	 * Records the start of a request.
	 * @return to be run when the request is answered or cancelled by the client; runs
	 * after the first have no effect
	 */
	Runnable enter(Channel connection) {
		AtomicInteger streams = streams(connection);
		updateMax(this.mostStreams, streams.incrementAndGet());
		updateMax(this.mostAtOnce, this.now.incrementAndGet());
		AtomicBoolean left = new AtomicBoolean();
		return () -> {
			if (left.compareAndSet(false, true)) {
				streams.decrementAndGet();
				this.now.decrementAndGet();
			}
		};
	}

	long total() {
		return this.total.get();
	}

	int mostStreams() {
		return this.mostStreams.get();
	}

	int mostAtOnce() {
		return this.mostAtOnce.get();
	}

	private AtomicInteger streams(Channel connection) {
		AtomicInteger known = this.open.get(connection);
		if (known != null) {
			return known;
		}
		return this.open.computeIfAbsent(connection, (added) -> {
			this.total.incrementAndGet();
			// The listener is not added here: for a channel that is already closed it
			// would run at once, inside computeIfAbsent.
			added.eventLoop().execute(() -> added.closeFuture().addListener((closed) -> this.open.remove(added)));
			return new AtomicInteger();
		});
	}

	private static void updateMax(AtomicInteger largest, int value) {
		largest.accumulateAndGet(value, Math::max);
	}

}
