package io.parley.notification;

import io.parley.notification.provider.LogPushProvider;
import io.parley.notification.provider.PushProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class NotificationWorkerConfigurationTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withUserConfiguration(PushApplication.class)
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:configuration");

	@Test
	void logsPushesByDefault() {
		this.context.run((context) -> {
			assertThat(context).getBean(PushProvider.class).isInstanceOf(LogPushProvider.class);
			assertThat(context.getBean(NotificationWorker.class).isRunning()).isTrue();
		});
	}

	@Test
	void explainsWhatFcmNeeds() {
		this.context.withPropertyValues("chat.push.provider=fcm", "chat.push.fcm.credentials=missing.json")
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("chat.push.fcm.credentials"));
	}

}
