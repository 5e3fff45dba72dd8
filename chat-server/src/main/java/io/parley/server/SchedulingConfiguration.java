package io.parley.server;

import org.springframework.boot.task.ThreadPoolTaskSchedulerBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Configures the thread pools of {@code @Scheduled} methods. Without these beans, the
 * methods would share the scheduler of Spring's simple broker, which has one thread per
 * processor.
 */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class SchedulingConfiguration {

	/**
	 * Larger than the number of jobs, so that a blocked job does not delay another one.
	 */
	private static final int JOBS = 32;

	/** Runs all jobs that name no scheduler. Spring finds it by this bean name. */
	@Bean
	ThreadPoolTaskScheduler taskScheduler(ThreadPoolTaskSchedulerBuilder builder) {
		return builder.poolSize(JOBS).threadNamePrefix("job-").build();
	}

	/**
	 * Runs only the job that renews this server's lease, so that no other job can delay
	 * it.
	 */
	@Bean
	ThreadPoolTaskScheduler presenceScheduler(ThreadPoolTaskSchedulerBuilder builder) {
		return builder.poolSize(1).threadNamePrefix("presence-").build();
	}

}
