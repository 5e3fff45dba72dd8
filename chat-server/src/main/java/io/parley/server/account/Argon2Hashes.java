package io.parley.server.account;

import java.util.Base64;

import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.keygen.KeyGenerators;

/**
 * Argon2id hashes of passwords, with the parameters that OWASP recommends: 19 MiB and two
 * passes. Safe for use by many threads.
 */
final class Argon2Hashes {

	/** Names the algorithm in front of a hash. */
	static final String ID = "argon2";

	private static final int SALT_BYTES = 16;

	private static final int DIGEST_BYTES = 32;

	private static final int LANES = 1;

	private static final int MEMORY_KIB = 19_456;

	private static final int PASSES = 2;

	private Argon2Hashes() {
	}

	static Argon2PasswordEncoder encoder() {
		return new Argon2PasswordEncoder(SALT_BYTES, DIGEST_BYTES, LANES, MEMORY_KIB, PASSES);
	}

	/**
	 * Returns a hash that no password is known to match: its digest is random. Making it
	 * takes no time. Comparing a password with it takes as long as with the hash of a new
	 * password.
	 */
	static String ofUnknownPassword() {
		return "{%s}$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s".formatted(ID, MEMORY_KIB, PASSES, LANES,
				randomBase64(SALT_BYTES), randomBase64(DIGEST_BYTES));
	}

	private static String randomBase64(int bytes) {
		return Base64.getEncoder().withoutPadding().encodeToString(KeyGenerators.secureRandom(bytes).generateKey());
	}

}
