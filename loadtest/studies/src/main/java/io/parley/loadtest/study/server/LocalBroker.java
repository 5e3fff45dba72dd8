package io.parley.loadtest.study.server;

import java.util.List;
import java.util.Locale;

import io.parley.loadtest.cli.RefusedException;

/**
 * A STOMP broker on this machine, on a free port, without storage. Closing it, or the end
 * of this JVM, ends the broker.
 */
public interface LocalBroker extends AutoCloseable {

	/**
	 * The brokers that mode {@code relay} supports.
	 */
	enum Kind {

		/**
		 * RabbitMQ, in a container.
		 */
		RABBITMQ,
		/**
		 * ActiveMQ Artemis, in a child JVM.
		 */
		ARTEMIS,
		/** ActiveMQ Classic, in a child JVM. */
		ACTIVEMQ;

		/**
		 * Returns the name that {@code chat.broker.relay.kind} uses.
		 */
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

	/**
	 * Returns the settings of a chat-server that relays to this broker.
	 */
	List<String> settings();

	/**
	 * Returns the port for STOMP on 127.0.0.1. Artemis accepts JMS there, too.
	 */
	int port();

	/**
	 * Returns the process id of the broker, which may have child processes; 0 when it is
	 * not visible.
	 */
	long pid();

	@Override
	void close();

}
