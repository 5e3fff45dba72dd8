package io.parley.server;

import org.springframework.boot.task.ThreadPoolTaskSchedulerBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * The threads of {@code @Scheduled} methods. Without these beans they would share the
 * scheduler of Spring's broker, which has one thread for each processor.
 */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class SchedulingConfiguration {

	/** More than there are jobs, so that a job that waits holds up no other one. */
	private static final int JOBS = 16;

	/** For all jobs that name no scheduler: Spring finds it by this name. */
	@Bean
	ThreadPoolTaskScheduler taskScheduler(ThreadPoolTaskSchedulerBuilder builder) {
		return builder.poolSize(JOBS).threadNamePrefix("job-").build();
	}

	/** For the lease of this server alone. */
	@Bean
	ThreadPoolTaskScheduler presenceScheduler(ThreadPoolTaskSchedulerBuilder builder) {
		return builder.poolSize(1).threadNamePrefix("presence-").build();
	}

}
