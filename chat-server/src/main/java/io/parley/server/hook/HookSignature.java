package io.parley.server.hook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.parley.server.settings.ImpossibleSettingsException;

/**
 * Signs requests as the specification "Standard Webhooks" says: HMAC-SHA256 of the id,
 * the time and the body. Safe for use by many threads.
 */
final class HookSignature {

	private static final String PREFIX = "whsec_";

	private static final int MIN_BYTES = 24;

	private static final int MAX_BYTES = 64;

	private static final String ALGORITHM = "HmacSHA256";

	private final SecretKeySpec key;

	/**
	 * @param secret see {@link HookProperties}
	 * @throws ImpossibleSettingsException if it has another form
	 */
	HookSignature(String secret) {
		byte[] bytes = decode(secret);
		if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
			throw new ImpossibleSettingsException("chat.messages.hook.secret must be whsec_ followed by " + MIN_BYTES
					+ " to " + MAX_BYTES + " bytes in Base64. Make one with: echo whsec_$(openssl rand -base64 32)");
		}
		this.key = new SecretKeySpec(bytes, ALGORITHM);
	}

	private static byte[] decode(String secret) {
		try {
			return secret.startsWith(PREFIX) ? Base64.getDecoder().decode(secret.substring(PREFIX.length()))
					: new byte[0];
		}
		catch (IllegalArgumentException ex) {
			return new byte[0];
		}
	}

	/** Returns the value of the header {@code webhook-signature}. */
	String of(String id, long timestamp, byte[] body) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(this.key);
			mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
			return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Each JVM has " + ALGORITHM, ex);
		}
	}

}
