package io.parley.server.headers;

import java.util.List;

import jakarta.validation.constraints.Pattern;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the content security policy.
 *
 * @param connectOrigins origins that the web page may connect to besides its own and
 * those of external issuers, such as {@code https://files.example.org}
 */
@ConfigurationProperties("chat.security")
@Validated
record HeaderProperties(@DefaultValue List<@Pattern(regexp = HeaderProperties.ORIGIN,
		message = "must be an origin, such as https://files.example.org") String> connectOrigins) {

	/** No spaces and no semicolons: an origin must not add directives to the policy. */
	static final String ORIGIN = "(https?|wss?)://([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?";

}
