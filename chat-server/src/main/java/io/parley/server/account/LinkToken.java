package io.parley.server.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The secret in a link: 128 random bits. The database stores only its SHA-256, which is
 * enough for a secret that nobody can guess.
 */
public record LinkToken(String value) {

	private static final SecureRandom RANDOM = new SecureRandom();

	private static final int BYTES = 16;

	/** Creates a random secret. */
	public static LinkToken create() {
		byte[] bytes = new byte[BYTES];
		RANDOM.nextBytes(bytes);
		return new LinkToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
	}

	/** Returns the SHA-256 of the secret in hexadecimal digits. */
	public String hash() {
		try {
			return HexFormat.of()
				.formatHex(MessageDigest.getInstance("SHA-256").digest(this.value.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public String toString() {
		return "LinkToken";
	}

}
