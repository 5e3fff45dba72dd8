package io.parley.server.testing;

import java.util.Map;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Hashes passwords like the server but with little work, so that tests can have many
 * users.
 */
class QuickPasswords {

	private static final int MEMORY_KB = 64;

	@Bean
	@Primary
	PasswordEncoder quickPasswordEncoder() {
		return new DelegatingPasswordEncoder("argon2", Map.of("argon2",
				new Argon2PasswordEncoder(16, 32, 1, MEMORY_KB, 1), "bcrypt", new BCryptPasswordEncoder(4)));
	}

}
