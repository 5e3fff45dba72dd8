package io.parley.log.config;

import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * The clients of the brokers tell at INFO of each consumer that they make, and Kafka's at
 * WARN of each attempt to come back; what the log itself tells is enough. Any other
 * setting of these levels wins.
 */
final class ClientLogLevels implements EnvironmentPostProcessor {

	private static final Map<String, Object> LEVELS = Map.of("logging.level.com.rabbitmq.stream", "warn",
			"logging.level.org.apache.kafka", "warn", "logging.level.org.apache.kafka.clients.NetworkClient", "error");

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		environment.getPropertySources().addLast(new MapPropertySource("roomLogClients", LEVELS));
	}

}
