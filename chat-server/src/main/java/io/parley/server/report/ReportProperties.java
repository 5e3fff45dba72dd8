package io.parley.server.report;

import java.time.Duration;

import org.hibernate.validator.constraints.time.DurationMin;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of reports.
 *
 * @param retention reports that are older are deleted, open ones too
 */
@Validated
@ConfigurationProperties("chat.reports")
record ReportProperties(@DurationMin(days = 1) @DefaultValue("90d") Duration retention) {
}
