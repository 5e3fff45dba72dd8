package io.parley.server.account;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The requirements for a new password.
 *
 * @param passwordLength minimum length in characters (code points)
 */
@Validated
@ConfigurationProperties("chat.security")
record PasswordProperties(@Positive @Max(64) @DefaultValue("15") int passwordLength) {
}
