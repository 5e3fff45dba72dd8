package io.parley.log.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties.Backend;
import io.parley.log.health.LogMetrics;

import org.springframework.beans.factory.ObjectProvider;
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

	private static final Pattern PASSWORD = jaasOption("password");

	private static final Pattern USERNAME = jaasOption("username");

	private static Pattern jaasOption(String name) {
		return Pattern.compile("\\b" + name + "\\s*=\\s*(?:\"([^\"]*)\"|([^\\s;]*))");
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	RoomLog roomLog(LogProperties properties, ObjectProvider<RoomLogFactory> adapters) {
		List<RoomLogFactory> present = adapters.stream().toList();
		checkPassword(properties);
		return present.stream()
			.filter((adapter) -> adapter.backend() == properties.backend())
			.findFirst()
			.orElseThrow(() -> new LogUnavailableException(missing(properties.backend(), present)))
			.open(properties);
	}

	private static void checkPassword(LogProperties properties) {
		if (properties.backend() == Backend.RABBITMQ) {
			LogProperties.Rabbitmq settings = properties.rabbitmq();
			KnownPasswordCheck.check("RabbitMQ", settings.nodes(), settings.username(), settings.password(),
					"chat.log.rabbitmq.password");
		}
		else if (properties.backend() == Backend.KAFKA) {
			String login = properties.kafka().properties().getOrDefault("sasl.jaas.config", "");
			option(PASSWORD, login)
				.ifPresent((password) -> KnownPasswordCheck.check("Kafka", properties.kafka().bootstrapServers(),
						option(USERNAME, login).orElse(null), password, "chat.log.kafka.properties.sasl.jaas.config"));
		}
	}

	/** Returns an option of a JAAS configuration, which may be quoted. */
	private static Optional<String> option(Pattern name, String login) {
		Matcher option = name.matcher(login);
		return option.find() ? Optional.of((option.group(1) != null) ? option.group(1) : option.group(2))
				: Optional.empty();
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

	private static String missing(Backend backend, List<RoomLogFactory> present) {
		String name = nameOf(backend);
		String sentence = "chat.log.backend=" + name + " needs the library chat-log-" + name
				+ ", which is not on the class path: add it";
		if (present.isEmpty()) {
			return sentence;
		}
		Stream<String> names = present.stream().map((adapter) -> nameOf(adapter.backend())).sorted();
		return sentence + ", or set chat.log.backend to one of those present: "
				+ names.collect(Collectors.joining(", "));
	}

	/** Returns the name in the configuration, which is also part of the library name. */
	private static String nameOf(Backend backend) {
		return backend.name().toLowerCase(Locale.ROOT);
	}

}
