package io.parley.server.testing;

import java.util.List;
import java.util.stream.Stream;

import io.parley.log.rabbitmq.RabbitBroker;

/** RabbitMQ with its STOMP plugin, in a container. */
final class RabbitStompBroker implements StompBroker {

	private final RabbitBroker broker = RabbitBroker.startWithStomp();

	@Override
	public String kind() {
		return "rabbitmq";
	}

	@Override
	public int port() {
		return this.broker.stompPort();
	}

	@Override
	public List<String> settings() {
		return Stream
			.concat(StompBroker.super.settings().stream(), Stream.of("chat.broker.relay.username=" + RabbitBroker.USER,
					"chat.broker.relay.password=" + RabbitBroker.USER))
			.toList();
	}

	@Override
	public void close() {
		this.broker.close();
	}

}
