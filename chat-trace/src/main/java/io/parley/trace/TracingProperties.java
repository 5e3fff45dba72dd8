package io.parley.trace;

import java.util.Map;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of traces.
 *
 * @param endpoint where spans are sent by OTLP over HTTP; if not set or empty, nothing is
 * traced
 * @param headers for each request to the endpoint, such as {@code Authorization}
 * @param share the share of messages that are traced, 0 to 1; the same in all processes
 */
@ConfigurationProperties("chat.tracing")
@Validated
record TracingProperties(
		@Nullable @Pattern(regexp = "(https?://[^/?#\\s]+(/[^?#\\s]*)?)?",
				message = "must be an http: or https: URL, such as http://localhost:4318/v1/traces") String endpoint,
		@DefaultValue Map<String, String> headers,
		@DefaultValue("0.01") @DecimalMin("0") @DecimalMax("1") double share) {
}
