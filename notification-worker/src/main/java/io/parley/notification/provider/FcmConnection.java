package io.parley.notification.provider;

import java.util.concurrent.atomic.AtomicInteger;

import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;

/** One HTTP/2 connection, opened when it is needed, and what is under way on it. */
final class FcmConnection {

	/** How many streams FCM allows on a connection. */
	static final int STREAMS = 100;

	private final CloseableHttpAsyncClient client;

	private final AtomicInteger underWay = new AtomicInteger();

	private volatile long lastAnswer = System.nanoTime();

	FcmConnection(CloseableHttpAsyncClient client) {
		this.client = client;
	}

	CloseableHttpAsyncClient client() {
		return this.client;
	}

	void begin() {
		this.underWay.incrementAndGet();
	}

	void end() {
		this.underWay.decrementAndGet();
	}

	/** Something came back. */
	void answered() {
		this.lastAnswer = System.nanoTime();
	}

	boolean hasAnsweredSince(long nanoTime) {
		return this.lastAnswer - nanoTime > 0;
	}

	int underWay() {
		return this.underWay.get();
	}

	boolean hasRoom() {
		return underWay() < STREAMS;
	}

}
