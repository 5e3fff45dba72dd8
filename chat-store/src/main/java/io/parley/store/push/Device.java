package io.parley.store.push;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/**
 * A device that can be told something.
 *
 * @param id stands for kind and token where the token must not be shown
 * @param token what it registered with; a secret
 * @param seenAt when it last registered
 */
public record Device(String id, String username, Kind kind, String token, Platform platform, Instant seenAt) {

	/** What the token is. */
	public enum Kind {

		/** A registration token of the push service. */
		TOKEN,

		/** An installation id of the push service. */
		FID

	}

	/** What shows the notification. */
	public enum Platform {

		ANDROID, IOS, WEB

	}

	/** The id of the device that registered with that token. */
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
