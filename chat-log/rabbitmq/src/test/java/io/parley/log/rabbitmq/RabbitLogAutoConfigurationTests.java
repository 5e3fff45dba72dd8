package io.parley.log.rabbitmq;

import io.parley.log.config.RoomLogAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RabbitLogAutoConfigurationTests {

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(RabbitLogAutoConfiguration.class,
			RoomLogAutoConfiguration.class);

	private static ApplicationContextRunner runner(String... properties) {
		return new ApplicationContextRunner().withConfiguration(CONFIGURATIONS).withPropertyValues(properties);
	}

	@Test
	void isAnAutoConfiguration() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null))
			.contains(RabbitLogAutoConfiguration.class.getName());
	}

	@Test
	void saysWhereItLookedForABrokerThatIsNotThere() {
		runner("chat.log.backend=rabbitmq", "chat.log.rabbitmq.addresses=127.0.0.1:1",
				"chat.log.rabbitmq.start-timeout=1ms")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("RabbitMQ at 127.0.0.1:1 can't be used"));
	}

}
