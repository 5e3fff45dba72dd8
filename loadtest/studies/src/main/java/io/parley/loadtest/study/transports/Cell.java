package io.parley.loadtest.study.transports;

import java.util.Locale;

/**
 * The task of a transport in one round.
 *
 * @param messages that each client sends
 * @param bytes of each message
 */
record Cell(Experiment experiment, int clients, int messages, int bytes) {

	private static final int MAX_IN_FLIGHT = 1000;

	boolean toAll() {
		return this.experiment.toAll;
	}

	int copies() {
		return toAll() ? this.clients : 1;
	}

	int perClient() {
		return this.messages * copies();
	}

	long deliveries() {
		return (long) this.clients * perClient();
	}

	/**
	 * Returns the maximum number of messages of one client in flight, which means not yet
	 * delivered to all receivers. It is 1 for a client that reads back its own messages.
	 */
	int window() {
		return toAll() ? Math.max(1, MAX_IN_FLIGHT / this.clients) : 1;
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "%s %,d × %,d × %,d bytes", this.experiment, this.clients, this.messages,
				this.bytes);
	}

}
