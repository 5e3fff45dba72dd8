package io.parley.server.message;

import java.time.Duration;

import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of messages that are sent later.
 *
 * @param minDelay how far ahead a message must be scheduled
 * @param maxDelay how far ahead a message may be scheduled
 * @param retention how long messages that could not be sent are kept for their authors
 */
@Validated
@ConfigurationProperties("chat.scheduled")
record ScheduledProperties(@DurationMin(millis = 1) @DefaultValue("10s") Duration minDelay,
		@DurationMin(minutes = 1) @DurationMax(days = 36_500) @DefaultValue("365d") Duration maxDelay,
		@DurationMin(days = 1) @DefaultValue("30d") Duration retention) {
}
