package io.parley.system;

import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Records attempted and acknowledged messages, outside the process that crashes. */
final class Ledger {

	private final Map<String, TestMessage> attempted = new ConcurrentHashMap<>();

	private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

	private final Queue<String> rejections = new ConcurrentLinkedQueue<>();

	private final LongAdder repeats = new LongAdder();

	/** Must be called before the message is sent. */
	void attempt(TestMessage message) {
		if (this.attempted.put(message.clientId(), message) != null) {
			this.repeats.increment();
		}
	}

	void acknowledge(TestMessage message) {
		this.acknowledged.add(message.clientId());
	}

	void reject(String event) {
		this.rejections.add(event);
	}

	Set<String> attempted() {
		return this.attempted.keySet();
	}

	Set<String> acknowledged() {
		return this.acknowledged;
	}

	TestMessage find(String clientId) {
		return this.attempted.get(clientId);
	}

	Collection<String> rejections() {
		return this.rejections;
	}

	/** Returns how many times a message was sent again. */
	long repeats() {
		return this.repeats.sum();
	}

}
