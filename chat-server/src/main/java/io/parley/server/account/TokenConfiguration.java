package io.parley.server.account;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.SecurityContext;
import io.parley.log.config.LogProperties;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;

/**
 * Configures tokens and password hashing. Tokens are signed with one RSA key, and no
 * other key is accepted.
 */
@Configuration
class TokenConfiguration {

	@Bean
	RSAKey jwtSigningKey(JwtProperties properties, LogProperties log) {
		return new JwtKeys(properties, log.backend() == LogProperties.Backend.EMBEDDED).signingKey();
	}

	/**
	 * Decodes access tokens only. It protects the REST API, where a refresh token must
	 * not be accepted.
	 */
	@Bean
	JwtDecoder accessTokenDecoder(RSAKey key, JwtProperties properties) throws JOSEException {
		NimbusJwtDecoder decoder = decoder(key, properties);
		decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
				List.of(new JwtTimestampValidator(Duration.ZERO), new JwtIssuerValidator(properties.issuer()),
						hasExpiry(), new JwtClaimValidator<String>(Tokens.USE, "access"::equals))));
		return decoder;
	}

	@Bean
	Tokens tokens(RSAKey key, JwtProperties properties, AccountService accounts) throws JOSEException {
		return new Tokens(new NimbusJwtEncoder(new ImmutableJWKSet<SecurityContext>(new JWKSet(key))),
				decoder(key, properties), properties, accounts);
	}

	/**
	 * Hashes new passwords with Argon2id (19 MiB, two passes), as OWASP recommends.
	 * bcrypt hashes of older versions still match and are replaced at the next sign-in.
	 */
	@Bean
	PasswordEncoder passwordEncoder() {
		return new DelegatingPasswordEncoder("argon2", Map.of("argon2", new Argon2PasswordEncoder(16, 32, 1, 19_456, 2),
				"bcrypt", new BCryptPasswordEncoder()));
	}

	private static NimbusJwtDecoder decoder(RSAKey key, JwtProperties properties) throws JOSEException {
		NimbusJwtDecoder decoder = NimbusJwtDecoder.withPublicKey(key.toRSAPublicKey()).build();
		decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(List.of(new JwtTimestampValidator(Duration.ZERO),
				new JwtIssuerValidator(properties.issuer()), hasExpiry())));
		return decoder;
	}

	/**
	 * Requires an expiry, because the timestamp validator accepts a token without
	 * {@code exp}.
	 */
	private static OAuth2TokenValidator<Jwt> hasExpiry() {
		return new JwtClaimValidator<Object>(JwtClaimNames.EXP, Objects::nonNull);
	}

}
