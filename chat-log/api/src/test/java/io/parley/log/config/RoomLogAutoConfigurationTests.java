package io.parley.log.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import io.parley.log.LogUnavailableException;
import io.parley.log.config.LogProperties.Backend;
import org.junit.jupiter.api.Test;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

class RoomLogAutoConfigurationTests {

	private ApplicationContextRunner runner(String... properties) {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RoomLogAutoConfiguration.class))
			.withPropertyValues(properties);
	}

	@Test
	void isAnAutoConfiguration() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null))
			.contains(RoomLogAutoConfiguration.class.getName());
	}

	@Test
	void saysWhatToDoWhenTheAdapterIsMissing() {
		runner().run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(LogUnavailableException.class)
			.hasMessageStartingWith("chat.log.backend=embedded needs the library chat-log-embedded")
			.hasMessageEndingWith("add it"));
	}

	@Test
	void saysWhichAdaptersAreThereWhenAnotherIsConfigured() {
		ApplicationContextRunner runner = runner("chat.log.backend=kafka").withUserConfiguration(OtherAdapters.class);
		runner.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(LogUnavailableException.class)
			.hasMessageStartingWith("chat.log.backend=kafka needs the library chat-log-kafka")
			.hasMessageEndingWith("or set chat.log.backend to one of those present: embedded, rabbitmq"));
	}

	@Test
	void bindsItsDefaults() {
		new ApplicationContextRunner().withUserConfiguration(PropertiesOnly.class).run((context) -> {
			LogProperties properties = context.getBean(LogProperties.class);
			assertThat(properties.embedded().directory()).isEqualTo(Path.of("data/log"));
			assertThat(properties.embedded().retention()).isEqualTo(Duration.ofDays(7));
			assertThat(properties.embedded().minFree()).isEqualTo(DataSize.ofMegabytes(256));
			assertThat(properties.rabbitmq().nodes()).containsExactly("localhost:5552");
			assertThat(properties.rabbitmq().streamPrefix()).isEqualTo("chat.rooms");
			assertThat(properties.rabbitmq().maxAge()).isEqualTo(Duration.ofDays(7));
			assertThat(properties.rabbitmq().maxLength()).isEqualTo(DataSize.ofGigabytes(5));
			assertThat(properties.rabbitmq().confirmTimeout()).isEqualTo(Duration.ofSeconds(10));
			assertThat(properties.kafka().bootstrapServers()).isEmpty();
			assertThat(properties.kafka().topic()).isEqualTo("parley-log");
			assertThat(properties.kafka().replication()).isEqualTo(3);
			assertThat(properties.kafka().properties()).isEmpty();
		});
	}

	@Test
	void passesPropertiesToTheKafkaClients() {
		new ApplicationContextRunner().withUserConfiguration(PropertiesOnly.class)
			.withPropertyValues("chat.log.kafka.properties.security.protocol=SASL_SSL",
					"chat.log.kafka.properties.sasl.mechanism=PLAIN")
			.run((context) -> assertThat(context.getBean(LogProperties.class).kafka().properties())
				.containsOnly(Map.entry("security.protocol", "SASL_SSL"), Map.entry("sasl.mechanism", "PLAIN")));
	}

	@Test
	void keepsTheKafkaClientsQuiet() {
		StandardEnvironment environment = new StandardEnvironment();
		SpringFactoriesLoader.forDefaultResourceLocation()
			.load(EnvironmentPostProcessor.class,
					SpringFactoriesLoader.FailureHandler.handleMessage((message, failure) -> {
					}))
			.stream()
			.filter(ClientLogLevels.class::isInstance)
			.forEach((processor) -> processor.postProcessEnvironment(environment, new SpringApplication()));
		assertThat(environment.getProperty("logging.level.org.apache.kafka")).isEqualTo("warn");
	}

	@Test
	void refusesAnAddressWithoutAPort() {
		runner("chat.log.backend=rabbitmq", "chat.log.rabbitmq.addresses=rabbit-1,rabbit-2:5552")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("addresses[0]")
				.hasMessageContaining("must be host:port"));
	}

	@Test
	void refusesImpossibleValues() {
		for (String wrong : new String[] { "chat.log.partitions=0", "chat.log.partitions=1025",
				"chat.log.embedded.retention=-1s", "chat.log.rabbitmq.port=0", "chat.log.readiness-grace=-1s",
				"chat.log.kafka.replication=0", "chat.log.kafka.topic=a/b" }) {
			runner(wrong).run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(wrong.substring("chat.log.".length(), wrong.indexOf('='))));
		}
	}

	static class OtherAdapters {

		@Bean
		RoomLogFactory rabbitmq() {
			return new RoomLogFactory(Backend.RABBITMQ, (properties) -> {
				throw new AssertionError("it is not chosen");
			});
		}

		@Bean
		RoomLogFactory embedded() {
			return new RoomLogFactory(Backend.EMBEDDED, (properties) -> {
				throw new AssertionError("it is not chosen");
			});
		}

	}

	@EnableConfigurationProperties(LogProperties.class)
	static class PropertiesOnly {

	}

}
