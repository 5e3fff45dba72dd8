package io.parley.server.account;

import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class OperatorPropertiesTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withInitializer(new ConfigDataApplicationContextInitializer())
		.withUserConfiguration(Application.class);

	@Test
	void nobodyIsAnOperatorByDefault() {
		this.application.run((context) -> assertThat(context.getBean(OperatorProperties.class).operators()).isEmpty());
	}

	@Test
	void aliceIsAnOperatorInTheDemo() {
		this.application.withPropertyValues("spring.profiles.active=demo")
			.run((context) -> assertThat(context.getBean(OperatorProperties.class).operators())
				.containsExactly("alice"));
	}

	@Test
	void namesAreCaseSensitive() {
		this.application.withPropertyValues("chat.security.operators=anna,bert").run((context) -> {
			OperatorProperties operators = context.getBean(OperatorProperties.class);
			assertThat(operators.isOperator("bert")).isTrue();
			assertThat(operators.isOperator("Bert")).isFalse();
			assertThat(operators.isOperator(null)).isFalse();
		});
	}

	@EnableConfigurationProperties(OperatorProperties.class)
	static class Application {

	}

}
