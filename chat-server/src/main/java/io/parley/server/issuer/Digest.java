package io.parley.server.issuer;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Hashes strings. */
final class Digest {

	private Digest() {
	}

	/**
	 * Returns a SHA-256 in base64url. The lengths count too, so that no two lists of
	 * strings have the same one.
	 */
	static String of(String... parts) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			for (String part : parts) {
				byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
				digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
				digest.update(bytes);
			}
			return Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
