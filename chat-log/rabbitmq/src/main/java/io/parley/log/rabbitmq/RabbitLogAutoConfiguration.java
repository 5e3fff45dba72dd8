package io.parley.log.rabbitmq;

import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties.Backend;
import io.parley.log.config.LogProperties.Rabbitmq;
import io.parley.log.config.RoomLogFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Offers the log in RabbitMQ, for {@code chat.log.backend=rabbitmq}. */
@AutoConfiguration
class RabbitLogAutoConfiguration {

	@Bean
	RoomLogFactory rabbitLog() {
		return new RoomLogFactory(Backend.RABBITMQ,
				(properties) -> open(properties.partitions(), properties.rabbitmq()));
	}

	private static RoomLog open(int partitions, Rabbitmq settings) {
		return RabbitRoomLog.open(new RabbitLogSettings(settings.nodes(), settings.username(), settings.password(),
				settings.virtualHost(), settings.streamPrefix(), partitions, settings.maxAge(),
				settings.maxLength().toBytes(), settings.segmentSize().toBytes(), settings.confirmTimeout(),
				settings.inFlight(), settings.startTimeout()));
	}

}
