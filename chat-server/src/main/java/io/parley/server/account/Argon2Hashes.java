package io.parley.server.account;

import java.security.SecureRandom;
import java.util.Base64;

import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;

/**
 * The parameters of the hashes of passwords: Argon2id with 19 MiB and two passes, as
 * OWASP recommends.
 */
final class Argon2Hashes {

	/** Names the algorithm in front of a hash. */
	static final String ID = "argon2";

	private static final int SALT_BYTES = 16;

	private static final int DIGEST_BYTES = 32;

	private static final int LANES = 1;

	private static final int MEMORY_KIB = 19_456;

	private static final int PASSES = 2;

	private static final SecureRandom random = new SecureRandom();

	private Argon2Hashes() {
	}

	static Argon2PasswordEncoder encoder() {
		return new Argon2PasswordEncoder(SALT_BYTES, DIGEST_BYTES, LANES, MEMORY_KIB, PASSES);
	}

	/**
	 * Returns the hash of no known password: its digest is random, so nothing is
	 * computed. Comparing a password with it takes as long as with any other.
	 */
	static String ofUnknownPassword() {
		return "{%s}$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s".formatted(ID, MEMORY_KIB, PASSES, LANES,
				randomBase64(SALT_BYTES), randomBase64(DIGEST_BYTES));
	}

	private static String randomBase64(int length) {
		byte[] bytes = new byte[length];
		random.nextBytes(bytes);
		return Base64.getEncoder().withoutPadding().encodeToString(bytes);
	}

}
