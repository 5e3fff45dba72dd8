package io.parley.fakefcm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.channel.Channel;

/** Counts connections and the requests that are on them at once. */
final class Connections {

	private final Map<Channel, AtomicInteger> open = new ConcurrentHashMap<>();

	private final AtomicLong total = new AtomicLong();

	private final AtomicInteger mostStreams = new AtomicInteger();

	private final AtomicInteger now = new AtomicInteger();

	private final AtomicInteger mostAtOnce = new AtomicInteger();

	/**
	 * A request has come.
	 * @return to be run when it is answered, or given up by the client; once or more
	 */
	Runnable enter(Channel connection) {
		AtomicInteger streams = streams(connection);
		raise(this.mostStreams, streams.incrementAndGet());
		raise(this.mostAtOnce, this.now.incrementAndGet());
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
			// Not right here: a channel that is closed already runs it at once, inside
			// of computeIfAbsent.
			added.eventLoop().execute(() -> added.closeFuture().addListener((closed) -> this.open.remove(added)));
			return new AtomicInteger();
		});
	}

	private static void raise(AtomicInteger largest, int value) {
		largest.accumulateAndGet(value, Math::max);
	}

}
