package io.parley.notification;

import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The worker with a recording provider instead of the configured one. */
@Configuration(proxyBeanMethods = false)
@Import({ PushApplication.class, PushFixture.class })
class RecordingApplication {

	@Bean
	static BeanDefinitionRegistryPostProcessor recordingProvider() {
		return (registry) -> {
			registry.removeBeanDefinition("pushProvider");
			registry.registerBeanDefinition("pushProvider", new RootBeanDefinition(RecordingProvider.class));
		};
	}

}
