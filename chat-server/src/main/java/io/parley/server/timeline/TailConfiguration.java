package io.parley.server.timeline;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties;
import io.parley.log.health.LogHealthIndicator;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures health and metrics of the log and of the server's own reader of it. */
@Configuration(proxyBeanMethods = false)
class TailConfiguration {

	@Bean
	LogHealthIndicator logHealthIndicator(RoomLog log, Tail tail, LogProperties properties) {
		return new LogHealthIndicator(log, tail::lag, properties.readinessGrace());
	}

	/** Measures how far live delivery is behind the log, in records. */
	@Bean
	MeterBinder tailLag(Tail tail) {
		return (meters) -> Gauge.builder("chat.reader.lag", tail, Tail::lag).tag("reader", "tail").register(meters);
	}

}
