package io.parley.server.account;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;
import org.springframework.validation.annotation.Validated;

/**
 * The tokens that prove who a client is.
 *
 * @param privateKey RSA key that signs, as PKCS#8 PEM; the same on every chat-server.
 * When it is not given and the log is embedded, one is made and kept in the key directory
 * @param keyDirectory where a generated key is kept
 * @param issuer the {@code iss} claim, written and demanded
 * @param accessTtl how long an access token lives
 * @param refreshTtl how long a refresh token lives
 */
@Validated
@ConfigurationProperties("chat.security.jwt")
record JwtProperties(@Nullable Resource privateKey, @DefaultValue("./data/keys") Path keyDirectory,
		@DefaultValue("parley") String issuer, @DefaultValue("15m") Duration accessTtl,
		@DefaultValue("30d") Duration refreshTtl) {
}
