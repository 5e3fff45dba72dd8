package io.parley.server.account;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * What a new password must be.
 *
 * @param passwordLength its characters (code points) at the least
 */
@Validated
@ConfigurationProperties("chat.security")
record PasswordProperties(@Positive @Max(64) @DefaultValue("15") int passwordLength) {
}
