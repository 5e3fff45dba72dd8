package io.parley.server.demo;

import io.parley.server.settings.ImpossibleSettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

class DemoAddressCheckTests {

	private final ApplicationContextRunner demo = new ApplicationContextRunner()
		.withInitializer(new ConfigDataApplicationContextInitializer())
		.withUserConfiguration(Application.class)
		.withPropertyValues("spring.profiles.active=demo");

	@Test
	void startsWithTheDefaults() {
		this.demo.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(DemoAddressCheck.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "127.8.9.10", "::1", "[::1]", "localhost" })
	void startsAtALoopbackAddress(String address) {
		this.demo.withPropertyValues("server.address=" + address).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "0.0.0.0", "::", "", "192.0.2.1", "10.0.0.1", "2001:db8::1" })
	void refusesAnAddressThatOtherMachinesReach(String address) {
		this.demo.withPropertyValues("server.address=" + address)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(ImpossibleSettingsException.class)
				.hasMessageContaining("server.address=127.0.0.1")
				.hasMessageContaining("chat.demo.public=true"));
	}

	@Test
	void checksThePublishedAddressInAContainer() {
		this.demo.withPropertyValues("server.address=0.0.0.0", "chat.demo.published-address=127.0.0.1")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "0.0.0.0", "", "192.0.2.1" })
	void refusesAContainerThatIsPublishedToOtherMachines(String published) {
		this.demo.withPropertyValues("server.address=0.0.0.0", "chat.demo.published-address=" + published)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(ImpossibleSettingsException.class)
				.hasMessageContaining("chat.demo.published-address"));
	}

	@Test
	void startsAtAnyAddressWhenTheOperatorAllowsIt() {
		this.demo.withPropertyValues("server.address=0.0.0.0", "chat.demo.public=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void skipsAServerWithoutDemoUsers() {
		this.demo.withPropertyValues("spring.profiles.active=", "server.address=0.0.0.0")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DemoAddressCheck.class));
	}

	@EnableConfigurationProperties({ DemoProperties.class, ServerProperties.class })
	@Import(DemoAddressCheck.class)
	static class Application {

	}

}
