package io.parley.server.audit;

import java.time.Duration;

import org.hibernate.validator.constraints.time.DurationMin;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the audit log.
 *
 * @param retention entries older than that are deleted
 */
@Validated
@ConfigurationProperties("chat.audit")
record AuditProperties(@DurationMin(days = 1) @DefaultValue("365d") Duration retention) {
}
