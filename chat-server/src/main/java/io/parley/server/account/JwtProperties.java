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
 * chat-server. If it is not set, {@code jwt-private.pem} in the key directory signs; if
 * that does not exist and the log is embedded, it is generated
 * @param keyDirectory further RSA keys, as {@code *.pem} files with a private key
 * (PKCS#8) or a public key: tokens that they have signed are accepted too. Changed files
 * are read within seconds
 * @param issuer the {@code iss} claim, written to tokens and required in them
 * @param accessTtl lifetime of an access token
 */
@Validated
@ConfigurationProperties("chat.security.jwt")
record JwtProperties(@Nullable Resource privateKey, @DefaultValue("./data/keys") Path keyDirectory,
		@DefaultValue("parley") String issuer, @DefaultValue("15m") Duration accessTtl) {
}
