package io.parley.log.config;

import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Lowers the default log levels of the broker clients. Both clients log every consumer
 * that they create at INFO, and Kafka's client logs every reconnection attempt at WARN;
 * the messages of the log itself are sufficient. Any other setting of these levels takes
 * precedence.
 */
final class ClientLogLevels implements EnvironmentPostProcessor {

	private static final Map<String, Object> LEVELS = Map.of("logging.level.com.rabbitmq.stream", "warn",
			"logging.level.org.apache.kafka", "warn", "logging.level.org.apache.kafka.clients.NetworkClient", "error");

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		environment.getPropertySources().addLast(new MapPropertySource("roomLogClients", LEVELS));
	}

}
