package io.parley.persistence;

import io.parley.log.RoomLog;
import io.parley.log.config.ExternalLogCheck;
import io.parley.log.config.LogProperties;
import io.parley.log.health.ExitWhenBroken;
import io.parley.log.health.LogHealthIndicator;
import io.parley.log.health.ReaderMetrics;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.PropertySource;

/**
 * The worker as a separate process. Several processes share the partitions of the log;
 * when one stops, the others read its partitions.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ ExternalLogCheck.class, PersistenceWorkerConfiguration.class })
@PropertySource("classpath:persistence-worker.properties")
public class PersistenceWorkerApplication {

	@Bean
	ReaderMetrics readerMetrics(PersistenceWorker worker) {
		return new ReaderMetrics(worker);
	}

	@Bean
	LogHealthIndicator logHealthIndicator(RoomLog log, PersistenceWorker worker, LogProperties properties) {
		return new LogHealthIndicator(log, worker::lag, properties.readinessGrace());
	}

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(PersistenceWorkerApplication.class);
		application.addListeners(new ExitWhenBroken());
		application.run(args);
	}

}
