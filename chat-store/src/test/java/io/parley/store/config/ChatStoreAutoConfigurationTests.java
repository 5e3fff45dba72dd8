package io.parley.store.config;

import io.parley.store.StoreApplication;
import io.parley.store.account.AccountRepository;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class ChatStoreAutoConfigurationTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withUserConfiguration(StoreApplication.class)
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:defaults");

	@Test
	void configuresTheStoreWithItsDefaults() {
		this.application.run((context) -> {
			assertThat(context).hasSingleBean(AccountRepository.class);
			assertThat(context.getEnvironment().getProperty("spring.jpa.open-in-view")).isEqualTo("false");
			assertThat(context.getEnvironment().getProperty("spring.jpa.hibernate.ddl-auto")).isEqualTo("validate");
		});
	}

	@Test
	void letsTheApplicationOverrideDefaults() {
		this.application.withPropertyValues("spring.jpa.hibernate.ddl-auto=none")
			.run((context) -> assertThat(context.getEnvironment().getProperty("spring.jpa.hibernate.ddl-auto"))
				.isEqualTo("none"));
	}

	@Test
	void refusesToStartWhenTheSchemaDoesNotMatchTheEntities() {
		this.application.withPropertyValues("spring.flyway.enabled=false", "spring.datasource.url=jdbc:h2:mem:empty")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("missing table"));
	}

}
