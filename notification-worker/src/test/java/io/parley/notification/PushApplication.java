package io.parley.notification;

import io.parley.log.RoomLog;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** A minimal application that hosts the worker. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ NotificationWorkerConfiguration.class, PushApplication.SharedLog.class })
class PushApplication {

	/** Provides a log instead of the configured one. */
	@Import(TemporaryLogs.class)
	static class SharedLog {

		@Bean
		RoomLog roomLog(TemporaryLogs logs) {
			return logs.open();
		}

	}

}
