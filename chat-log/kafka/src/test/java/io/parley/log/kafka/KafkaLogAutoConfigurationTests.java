package io.parley.log.kafka;

import io.parley.log.LogUnavailableException;
import io.parley.log.config.RoomLogAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaLogAutoConfigurationTests {

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(KafkaLogAutoConfiguration.class,
			RoomLogAutoConfiguration.class);

	private static ApplicationContextRunner runner(String... properties) {
		return new ApplicationContextRunner().withConfiguration(CONFIGURATIONS).withPropertyValues(properties);
	}

	@Test
	void isAnAutoConfiguration() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null))
			.contains(KafkaLogAutoConfiguration.class.getName());
	}

	@Test
	void asksForTheAddressesOfKafka() {
		runner("chat.log.backend=kafka").run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(LogUnavailableException.class)
			.hasMessageContaining("set chat.log.kafka.bootstrap-servers"));
	}

	@Test
	void saysWhereItLookedForKafka() {
		runner("chat.log.backend=kafka", "chat.log.kafka.bootstrap-servers=127.0.0.1:1",
				"chat.log.kafka.start-timeout=1ms")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("Kafka at 127.0.0.1:1 can't be used"));
	}

}
