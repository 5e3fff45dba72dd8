package io.parley.store.push;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/**
 * A device that can receive notifications.
 *
 * @param id identifies kind and token where the token must not be shown
 * @param token the value that the device registered with; a secret
 * @param seenAt when it last registered
 */
public record Device(String id, String username, Kind kind, String token, Platform platform, Instant seenAt) {

	/** The kind of the token. */
	public enum Kind {

		/** A registration token of the push service. */
		TOKEN,

		/** An installation id of the push service. */
		FID

	}

	/** The platform that shows the notification. */
	public enum Platform {

		ANDROID, IOS, WEB

	}

	/** Returns the id of the device that registered with that token. */
	public static String id(Kind kind, String token) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			return HexFormat.of().formatHex(digest.digest((kind + ":" + token).getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
