package io.parley.notification.provider;

import java.util.concurrent.atomic.AtomicInteger;

import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;

/** One HTTP/2 connection, opened on demand, and the number of its requests in flight. */
final class FcmConnection {

	/** The number of streams that FCM allows on a connection. */
	static final int STREAMS = 100;

	private final CloseableHttpAsyncClient client;

	private final AtomicInteger inFlight = new AtomicInteger();

	private volatile long lastAnswer = System.nanoTime();

	FcmConnection(CloseableHttpAsyncClient client) {
		this.client = client;
	}

	CloseableHttpAsyncClient client() {
		return this.client;
	}

	void begin() {
		this.inFlight.incrementAndGet();
	}

	void end() {
		this.inFlight.decrementAndGet();
	}

	/** Records that a response has arrived. */
	void answered() {
		this.lastAnswer = System.nanoTime();
	}

	boolean hasAnsweredSince(long nanoTime) {
		return this.lastAnswer - nanoTime > 0;
	}

	int inFlight() {
		return this.inFlight.get();
	}

	boolean hasCapacity() {
		return inFlight() < STREAMS;
	}

}
