package io.parley.loadtest.local;

import java.util.List;
import java.util.Locale;

import io.parley.loadtest.cli.RefusedException;

/**
 * A STOMP broker on this machine, on a free port, without storage. Closing it ends it; so
 * does the end of this JVM.
 */
public interface LocalBroker extends AutoCloseable {

	/** The brokers that mode {@code relay} is made for. */
	enum Kind {

		/** In a container. */
		RABBITMQ,
		/** In a child JVM. */
		ARTEMIS,
		/** ActiveMQ Classic, in a child JVM. */
		ACTIVEMQ;

		/** As {@code chat.broker.relay.kind} names it. */
		public String key() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Starts a broker and waits until it speaks STOMP.
	 * @throws RefusedException when it does not start, with the reason
	 */
	static LocalBroker start(Kind kind) {
		return (kind == Kind.RABBITMQ) ? BrokerContainer.start() : BrokerProcess.start(kind);
	}

	/** Settings of a chat-server that relays to it. */
	List<String> settings();

	/** Where it takes STOMP on 127.0.0.1; Artemis takes JMS there too. */
	int port();

	/** Its process, of which others may be children; 0 when it is not to be seen. */
	long pid();

	@Override
	void close();

}
