package io.parley.server.account;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.stereotype.Component;

/** Creates decoders, each for one type of tokens that this server has signed. */
@Component
class TokenDecoders {

	private final SigningKeys keys;

	private final String issuer;

	private final Clock clock;

	TokenDecoders(SigningKeys keys, JwtProperties properties, Clock clock) {
		this.keys = keys;
		this.issuer = properties.issuer();
		this.clock = clock;
	}

	/**
	 * Returns a decoder of access tokens, as RFC 9068 demands, that belong to a sign-in.
	 */
	JwtDecoder ofAccessTokens() {
		return decoder(JwtValidators.createAtJwtValidator()
			.issuer(this.issuer)
			.audience(this.issuer)
			.clientId(Tokens.CLIENT_ID)
			.validators((validators) -> {
				// The default validators accept a token for a minute after its end.
				validators.put(JwtClaimNames.EXP, timestamps());
				validators.put(JwtClaimNames.IAT, required(JwtClaimNames.IAT));
				validators.put(Tokens.SIGN_IN, required(Tokens.SIGN_IN));
			})
			.build());
	}

	/** Returns a decoder of tokens with this {@code typ}. */
	JwtDecoder of(String type) {
		return decoder(new DelegatingOAuth2TokenValidator<>(
				List.of(new JwtTypeValidator(type), new JwtIssuerValidator(this.issuer), timestamps())));
	}

	private JwtDecoder decoder(OAuth2TokenValidator<Jwt> validator) {
		NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSource(this.keys)
			.jwsAlgorithm(SignatureAlgorithm.RS256)
			// The validators check the type.
			.jwtProcessorCustomizer((processor) -> processor.setJWSTypeVerifier((type, context) -> {
			}))
			.build();
		decoder.setJwtValidator(validator);
		return decoder;
	}

	/**
	 * Requires an expiry, because the timestamp validator accepts a token without one.
	 */
	private OAuth2TokenValidator<Jwt> timestamps() {
		JwtTimestampValidator timestamps = new JwtTimestampValidator(Duration.ZERO);
		timestamps.setClock(this.clock);
		return new DelegatingOAuth2TokenValidator<>(List.of(required(JwtClaimNames.EXP), timestamps));
	}

	private static OAuth2TokenValidator<Jwt> required(String claim) {
		return new JwtClaimValidator<Object>(claim, Objects::nonNull);
	}

}
