package io.parley.log.kafka;

import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties.Backend;
import io.parley.log.config.LogProperties.Kafka;
import io.parley.log.config.RoomLogFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Offers the log in Kafka, for {@code chat.log.backend=kafka}. */
@AutoConfiguration
class KafkaLogAutoConfiguration {

	@Bean
	RoomLogFactory kafkaLog() {
		return new RoomLogFactory(Backend.KAFKA, (properties) -> open(properties.partitions(), properties.kafka()));
	}

	private static RoomLog open(int partitions, Kafka settings) {
		if (settings.bootstrapServers().isEmpty()) {
			throw new LogUnavailableException("chat.log.backend=kafka needs the addresses of some brokers:"
					+ " set chat.log.kafka.bootstrap-servers, such as kafka-1:9092,kafka-2:9092");
		}
		return KafkaRoomLog.open(new KafkaLogSettings(settings.bootstrapServers(), settings.topic(), partitions,
				settings.replication(), settings.properties(), settings.maxAge(), settings.maxLength().toBytes(),
				settings.segmentSize().toBytes(), settings.confirmTimeout(), settings.inFlight(),
				settings.startTimeout()));
	}

}
