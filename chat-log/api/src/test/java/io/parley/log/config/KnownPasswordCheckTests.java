package io.parley.log.config;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KnownPasswordCheckTests {

	private static final String OWN = "hT9-only-in-this-test";

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "parley", "PARLEY", "guest", "demo", "root", "admin", "password", "changeit",
			"anna", "Anna" })
	void refusesKnownPasswordsOfOtherMachines(String password) {
		assertThatThrownBy(() -> check("db-1:3306", password)).isInstanceOf(KnownPasswordException.class)
			.hasMessageContaining("The password of user 'anna' of MySQL at db-1:3306")
			.hasMessageContaining("set another one there and in some.setting");
	}

	@Test
	void refusesAMissingPassword() {
		assertThatThrownBy(() -> KnownPasswordCheck.check("MySQL", List.of("db-1"), null, null, "some.setting"))
			.isInstanceOf(KnownPasswordException.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "LOCALHOST:5552", "127.0.0.1", "127.8.9.10:3306", "::1", "[::1]:5552",
			"0:0:0:0:0:0:0:1" })
	void acceptsThemOnThisMachine(String host) {
		assertThatCode(() -> check(host, "parley")).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost.example.org", "127.example.org", "127.0.0.1.example.org", "0.0.0.0", "10.0.0.1",
			"[2001:db8::1]:5552", "localhost-2", "", "1270.0.1", "host.docker.internal" })
	void isNotMisledByNames(String host) {
		assertThatThrownBy(() -> check(host, "parley")).isInstanceOf(KnownPasswordException.class);
	}

	@Test
	void oneOtherMachineIsEnough() {
		assertThatThrownBy(() -> KnownPasswordCheck.check("RabbitMQ", List.of("localhost:5552", "rabbit-2:5552"), "u",
				"guest", "some.setting"))
			.hasMessageContaining("RabbitMQ at rabbit-2:5552 is empty");
	}

	@Test
	void acceptsOtherPasswordsAnywhere() {
		assertThatCode(() -> check("db-1", OWN)).doesNotThrowAnyException();
	}

	@Test
	void theMessageDoesNotContainThePassword() {
		assertThatThrownBy(() -> check("db-1", "letmein")).hasMessageNotContaining("letmein");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "rabbitmq | chat.log.rabbitmq.host=rabbit-1 | chat.log.rabbitmq.password",
			"rabbitmq | chat.log.rabbitmq.addresses=localhost:5552,rabbit-1:5552 | chat.log.rabbitmq.password",
			"kafka | chat.log.kafka.properties.[sasl.jaas.config]=x required username=\"a\" password=\"kafka\"; | chat.log.kafka.properties.sasl.jaas.config",
			"kafka | chat.log.kafka.properties.[sasl.jaas.config]=x required username=a password=a; | chat.log.kafka.properties.sasl.jaas.config" })
	void theLogDoesNotConnectWithAKnownPassword(String backend, String setting, String named) {
		runner(backend, setting).run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(KnownPasswordException.class)
			.hasMessageContaining(named));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "embedded | chat.log.rabbitmq.host=rabbit-1", "rabbitmq | x=y",
			"rabbitmq | chat.log.rabbitmq.host=localhost",
			"kafka | chat.log.kafka.properties.[sasl.jaas.config]=x required username=\"a\" password=\"" + OWN + "\";",
			"kafka | chat.log.kafka.properties.[security.protocol]=PLAINTEXT" })
	void otherSettingsPassTheCheck(String backend, String setting) {
		runner(backend, setting).run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContaining("which is not on the class path"));
	}

	private static ApplicationContextRunner runner(String backend, String setting) {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RoomLogAutoConfiguration.class))
			.withPropertyValues("chat.log.backend=" + backend, "chat.log.kafka.bootstrap-servers=kafka-1:9092",
					setting);
	}

	private static void check(String host, String password) {
		KnownPasswordCheck.check("MySQL", List.of(host), "anna", password, "some.setting");
	}

}
