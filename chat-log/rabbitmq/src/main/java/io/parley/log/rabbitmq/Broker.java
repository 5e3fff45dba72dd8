package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.List;

import com.rabbitmq.stream.Address;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.EnvironmentBuilder;

/** The connection to the broker, and its reconnection back-off. */
final class Broker {

	private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

	private static final Duration HEARTBEAT = Duration.ofSeconds(20);

	private Broker() {
	}

	static Environment connect(RabbitLogSettings settings) {
		List<Address> addresses = addresses(settings);
		String scheme = (settings.tls() != null) ? "rabbitmq-stream+tls://" : "rabbitmq-stream://";
		EnvironmentBuilder builder = Environment.builder()
			.id("room-log")
			.uris(addresses.stream().map((address) -> scheme + address.host() + ":" + address.port()).toList())
			.username(settings.username())
			.password(settings.password())
			.virtualHost(settings.virtualHost())
			.requestedHeartbeat(HEARTBEAT)
			.recoveryBackOffDelayPolicy(Broker::pause)
			.topologyUpdateBackOffDelayPolicy(Broker::pause);
		if (settings.tls() != null) {
			builder.tls().sslContext(settings.tls());
		}
		if (addresses.size() == 1) {
			builder.addressResolver((advertised) -> addresses.getFirst());
		}
		return builder.build();
	}

	static List<Address> addresses(RabbitLogSettings settings) {
		return settings.addresses().stream().map(Broker::address).toList();
	}

	static Address address(String text) {
		int colon = text.lastIndexOf(':');
		try {
			return new Address(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
		}
		catch (IndexOutOfBoundsException | NumberFormatException ex) {
			throw new IllegalArgumentException(
					"A RabbitMQ address must be host:port, such as localhost:5552, not " + text, ex);
		}
	}

	/** Returns the pause before a reconnection attempt, numbered from 0. */
	static Duration pause(int attempt) {
		Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(attempt, 10));
		return (pause.compareTo(LONGEST_PAUSE) < 0) ? pause : LONGEST_PAUSE;
	}

}
