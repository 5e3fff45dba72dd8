package io.parley.server.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the open sockets and those of them that have not sent CONNECT, in total and for
 * each address. Safe for use by many threads.
 */
final class SessionCounts {

	private final Count all = new Count();

	private final Map<String, Count> byAddress = new ConcurrentHashMap<>();

	private static final class Count {

		private final AtomicInteger open = new AtomicInteger();

		private final AtomicInteger unconnected = new AtomicInteger();

		void add(int open, int unconnected) {
			this.open.addAndGet(open);
			this.unconnected.addAndGet(unconnected);
		}

	}

	void opened(ChatSession session) {
		add(session, 1, 1);
	}

	void connected(ChatSession session) {
		if (session.traffic().stopWaitingForConnect()) {
			add(session, 0, -1);
		}
	}

	void closed(ChatSession session) {
		add(session, -1, session.traffic().stopWaitingForConnect() ? -1 : 0);
	}

	private void add(ChatSession session, int open, int unconnected) {
		this.all.add(open, unconnected);
		this.byAddress.compute(session.address(), (address, known) -> {
			Count count = (known != null) ? known : new Count();
			count.add(open, unconnected);
			return (count.open.get() > 0) ? count : null;
		});
	}

	int all() {
		return this.all.open.get();
	}

	int unconnected() {
		return this.all.unconnected.get();
	}

	int of(String address) {
		Count count = this.byAddress.get(address);
		return (count != null) ? count.open.get() : 0;
	}

	int unconnectedOf(String address) {
		Count count = this.byAddress.get(address);
		return (count != null) ? count.unconnected.get() : 0;
	}

}
