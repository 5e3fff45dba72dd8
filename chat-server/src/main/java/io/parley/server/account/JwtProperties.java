package io.parley.server.account;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the access and refresh tokens.
 *
 * @param privateKey RSA key that signs tokens, as PKCS#8 PEM; the same on every
 * chat-server. If it is not set and the log is embedded, a key is generated and stored in
 * the key directory
 * @param keyDirectory where a generated key is stored
 * @param issuer the {@code iss} claim, written to tokens and required in them
 * @param accessTtl lifetime of an access token
 * @param refreshTtl lifetime of a refresh token
 */
@Validated
@ConfigurationProperties("chat.security.jwt")
record JwtProperties(@Nullable Resource privateKey, @DefaultValue("./data/keys") Path keyDirectory,
		@DefaultValue("parley") String issuer, @DefaultValue("15m") Duration accessTtl,
		@DefaultValue("30d") Duration refreshTtl) {
}
