package io.parley.log.config;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties.Embedded;
import io.parley.log.config.LogProperties.Kafka;
import io.parley.log.config.LogProperties.Rabbitmq;
import io.parley.log.embedded.EmbeddedLogSettings;
import io.parley.log.embedded.EmbeddedRoomLog;
import io.parley.log.health.LogMetrics;
import io.parley.log.kafka.KafkaLogSettings;
import io.parley.log.kafka.KafkaRoomLog;
import io.parley.log.rabbitmq.RabbitLogSettings;
import io.parley.log.rabbitmq.RabbitRoomLog;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the {@link RoomLog} of the application; it is closed with the context. */
@AutoConfiguration
@EnableConfigurationProperties(LogProperties.class)
public class RoomLogAutoConfiguration {

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	RoomLog roomLog(LogProperties properties) {
		return switch (properties.backend()) {
			case EMBEDDED -> embedded(properties.partitions(), properties.embedded());
			case RABBITMQ -> rabbitmq(properties.partitions(), properties.rabbitmq());
			case KAFKA -> kafka(properties.partitions(), properties.kafka());
		};
	}

	/** Applies if Micrometer is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterBinder.class)
	static class Metrics {

		@Bean
		LogMetrics logMetrics(RoomLog log) {
			return new LogMetrics(log);
		}

	}

	private static RoomLog embedded(int partitions, Embedded settings) {
		return EmbeddedRoomLog.open(new EmbeddedLogSettings(settings.directory(), partitions, settings.retention(),
				settings.minFree().toBytes()));
	}

	private static RoomLog rabbitmq(int partitions, Rabbitmq settings) {
		return RabbitRoomLog.open(new RabbitLogSettings(settings.nodes(), settings.username(), settings.password(),
				settings.virtualHost(), settings.streamPrefix(), partitions, settings.maxAge(),
				settings.maxLength().toBytes(), settings.segmentSize().toBytes(), settings.confirmTimeout(),
				settings.inFlight(), settings.startTimeout()));
	}

	private static RoomLog kafka(int partitions, Kafka settings) {
		if (settings.bootstrapServers().isEmpty()) {
			throw new LogUnavailableException("chat.log.backend=kafka requires broker addresses:"
					+ " set chat.log.kafka.bootstrap-servers, such as kafka-1:9092,kafka-2:9092");
		}
		return KafkaRoomLog.open(new KafkaLogSettings(settings.bootstrapServers(), settings.topic(), partitions,
				settings.replication(), settings.properties(), settings.maxAge(), settings.maxLength().toBytes(),
				settings.segmentSize().toBytes(), settings.confirmTimeout(), settings.inFlight(),
				settings.startTimeout()));
	}

}
