package io.parley.notification.provider;

/**
 * Where a notification goes.
 *
 * @param value what the device registered with; a secret, never to be logged
 */
public record PushTarget(Kind kind, String value, Platform platform) {

	/** What the value is. */
	public enum Kind {

		/** A registration token. */
		TOKEN,

		/** A Firebase installation id, which takes the place of the token. */
		FID

	}

	/** What shows the notification. */
	public enum Platform {

		ANDROID, IOS, WEB

	}

}
