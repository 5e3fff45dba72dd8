package io.parley.system;

import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * What was attempted and what the server acknowledged, beyond the reach of its crashes.
 */
final class Ledger {

	private final Map<String, TestMessage> attempted = new ConcurrentHashMap<>();

	private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

	private final Queue<String> refusals = new ConcurrentLinkedQueue<>();

	private final LongAdder repeats = new LongAdder();

	/** To be noted before the message goes out. */
	void attempt(TestMessage message) {
		if (this.attempted.put(message.clientId(), message) != null) {
			this.repeats.increment();
		}
	}

	void acknowledge(TestMessage message) {
		this.acknowledged.add(message.clientId());
	}

	void refuse(String event) {
		this.refusals.add(event);
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

	Collection<String> refusals() {
		return this.refusals;
	}

	/** How often a message was sent again. */
	long repeats() {
		return this.repeats.sum();
	}

}
