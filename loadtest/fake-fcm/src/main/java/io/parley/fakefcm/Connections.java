package io.parley.fakefcm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

	/** A request has come. */
	void enter(Channel connection) {
		raise(this.mostStreams, streams(connection).incrementAndGet());
		raise(this.mostAtOnce, this.now.incrementAndGet());
	}

	/** The request was answered, or given up by the client. */
	void leave(Channel connection) {
		streams(connection).decrementAndGet();
		this.now.decrementAndGet();
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
