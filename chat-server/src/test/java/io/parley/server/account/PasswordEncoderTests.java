package io.parley.server.account;

import org.junit.jupiter.api.Test;

import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the real password encoder; the other tests use a cheaper one. */
class PasswordEncoderTests {

	private static final String PASSWORD = "a secret of the tests";

	private final PasswordEncoder passwords = new TokenConfiguration().passwordEncoder();

	@Test
	void hashesWithTheCostThatOwaspRecommends() {
		String hash = this.passwords.encode(PASSWORD);
		assertThat(hash).startsWith("{argon2}$argon2id$v=19$m=19456,t=2,p=1$");
		assertThat(this.passwords.matches(PASSWORD, hash)).isTrue();
		assertThat(this.passwords.matches(PASSWORD + "x", hash)).isFalse();
		assertThat(this.passwords.upgradeEncoding(hash)).isFalse();
	}

	@Test
	void theHashOfAnUnknownPasswordHasTheSameCostAndMatchesNothing() {
		String hash = Argon2Hashes.ofUnknownPassword();
		String real = String.valueOf(this.passwords.encode(PASSWORD));
		assertThat(hash).hasSameSizeAs(real).startsWith(real.substring(0, real.indexOf("p=1$")));
		assertThat(this.passwords.matches(PASSWORD, hash)).isFalse();
		assertThat(this.passwords.upgradeEncoding(hash)).isFalse();
		assertThat(Argon2Hashes.ofUnknownPassword()).isNotEqualTo(hash);
	}

	@Test
	void acceptsBcryptAndUpgradesIt() {
		String hash = "{bcrypt}" + new BCryptPasswordEncoder(4).encode(PASSWORD);
		assertThat(this.passwords.matches(PASSWORD, hash)).isTrue();
		assertThat(this.passwords.upgradeEncoding(hash)).isTrue();
	}

}
