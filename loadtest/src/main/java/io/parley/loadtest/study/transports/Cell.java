package io.parley.loadtest.study.transports;

import java.util.Locale;

/**
 * What one transport is asked to do at a time.
 *
 * @param messages that each client sends
 * @param bytes of each message
 */
record Cell(Experiment experiment, int clients, int messages, int bytes) {

	/** So many messages are under way at most, over all clients. */
	private static final int UNDER_WAY = 1000;

	boolean toAll() {
		return this.experiment.toAll;
	}

	/** How many clients get each message. */
	int copies() {
		return toAll() ? this.clients : 1;
	}

	/** How many messages each client gets. */
	int perClient() {
		return this.messages * copies();
	}

	long deliveries() {
		return (long) this.clients * perClient();
	}

	/**
	 * How many messages of one client may be under way, that is, not with everybody whom
	 * they go to: who reads back what it sent has one.
	 */
	int window() {
		return toAll() ? Math.max(1, UNDER_WAY / this.clients) : 1;
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "%s %,d × %,d × %,d bytes", this.experiment, this.clients, this.messages,
				this.bytes);
	}

}
