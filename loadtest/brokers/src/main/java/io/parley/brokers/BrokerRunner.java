package io.parley.brokers;

import java.io.IOException;

/**
 * Runs one broker on 127.0.0.1, without storage and sign-in. It stops when its standard
 * input ends, so it never outlives the process that started it.
 */
public final class BrokerRunner {

	private BrokerRunner() {
	}

	/**
	 * Starts the broker. The arguments are the kind, {@code artemis} or {@code activemq},
	 * and the port.
	 */
	public static void main(String[] args) throws IOException {
		if (args.length != 2) {
			System.err.println("Usage: java -jar brokers.jar artemis|activemq <port>");
			System.exit(2);
		}
		try (Broker broker = start(args[0], Integer.parseInt(args[1]))) {
			System.out.println(broker.name() + " listens on port " + args[1]);
			System.in.transferTo(System.err);
		}
		System.exit(0);
	}

	static Broker start(String kind, int port) {
		return switch (kind) {
			case "artemis" -> new ArtemisBroker(port);
			case "activemq" -> new ClassicBroker(port);
			default -> throw new IllegalArgumentException("There is no broker '" + kind + "'");
		};
	}

}
