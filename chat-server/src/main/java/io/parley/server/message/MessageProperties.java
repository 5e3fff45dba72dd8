package io.parley.server.message;

import java.time.Duration;

import org.hibernate.validator.constraints.time.DurationMin;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of messages.
 *
 * @param editWindow how long authors may edit a message; 0 for always
 */
@Validated
@ConfigurationProperties("chat.messages")
record MessageProperties(@DurationMin @DefaultValue("24h") Duration editWindow) {
}
