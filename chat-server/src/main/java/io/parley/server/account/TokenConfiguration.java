package io.parley.server.account;

import java.time.Clock;
import java.util.Map;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;

/** Configures tokens and password hashing. */
@Configuration
class TokenConfiguration {

	/** The time of sign-ins and tokens. */
	@Bean
	Clock clock() {
		return Clock.systemUTC();
	}

	@Bean
	JwtEncoder jwtEncoder(SigningKeys keys) {
		return new NimbusJwtEncoder(keys);
	}

	/**
	 * Hashes new passwords with {@linkplain Argon2Hashes Argon2id}. bcrypt hashes of
	 * older versions still match and are replaced at the next sign-in.
	 */
	@Bean
	PasswordEncoder passwordEncoder() {
		return new DelegatingPasswordEncoder(Argon2Hashes.ID,
				Map.of(Argon2Hashes.ID, Argon2Hashes.encoder(), "bcrypt", new BCryptPasswordEncoder()));
	}

}
