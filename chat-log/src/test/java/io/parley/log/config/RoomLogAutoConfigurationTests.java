package io.parley.log.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.embedded.EmbeddedRoomLog;
import io.parley.log.health.LogMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.util.unit.DataSize;

import static io.parley.log.LogReading.append;
import static org.assertj.core.api.Assertions.assertThat;

class RoomLogAutoConfigurationTests {

	@TempDir
	private Path directory;

	private ApplicationContextRunner runner(String... properties) {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RoomLogAutoConfiguration.class))
			.withPropertyValues("chat.log.embedded.directory=" + this.directory)
			.withPropertyValues(properties);
	}

	@Test
	void isAnAutoConfiguration() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null))
			.contains(RoomLogAutoConfiguration.class.getName());
	}

	@Test
	void opensAnEmbeddedLogAndClosesItWithTheContext() {
		runner().run((context) -> {
			RoomLog log = context.getBean(RoomLog.class);
			assertThat(log).isInstanceOf(EmbeddedRoomLog.class);
			assertThat(log.partitions()).isEqualTo(8);
			append(log, 7, "a");
		});
		runner().run((context) -> assertThat(context.getBean(RoomLog.class).endOffset(7)).isEqualTo(1));
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
	void requiresTheAddressesOfKafka() {
		runner("chat.log.backend=kafka").run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(LogUnavailableException.class)
			.hasMessageContaining("set chat.log.kafka.bootstrap-servers"));
	}

	@Test
	void namesTheAddressOfKafkaInItsError() {
		runner("chat.log.backend=kafka", "chat.log.kafka.bootstrap-servers=127.0.0.1:1",
				"chat.log.kafka.start-timeout=1ms")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("Kafka at 127.0.0.1:1 can't be used"));
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
	void namesTheAddressOfAnUnreachableBroker() {
		runner("chat.log.backend=rabbitmq", "chat.log.rabbitmq.addresses=127.0.0.1:1",
				"chat.log.rabbitmq.start-timeout=1ms")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("RabbitMQ at 127.0.0.1:1 can't be used"));
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
	void measuresTheLog() {
		runner().withBean(SimpleMeterRegistry.class).run((context) -> {
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			context.getBean(LogMetrics.class).bindTo(meters);
			assertThat(meters.get("chat.log.trouble").gauge().value()).isZero();
			assertThat(meters.get("chat.log.partitions.at.risk").gauge().value()).isZero();
			assertThat(meters.get("chat.log.removed.unread").functionCounter().count()).isZero();
			context.getBean(RoomLog.class).close();
			assertThat(meters.get("chat.log.trouble").gauge().value()).isOne();
		});
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

	@EnableConfigurationProperties(LogProperties.class)
	static class PropertiesOnly {

	}

}
