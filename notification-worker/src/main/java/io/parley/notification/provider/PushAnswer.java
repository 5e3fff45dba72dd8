package io.parley.notification.provider;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The provider's answer to one message.
 *
 * @param detail for operators: a stable word, and a sentence if there is more to say
 * @param retryAfter the minimum time that the provider asks to wait; null if it does not
 * ask
 */
public record PushAnswer(Kind kind, String detail, @Nullable Duration retryAfter) {

	/** The action that follows. */
	public enum Kind {

		/** The message was accepted: do nothing. */
		SENT,

		/** The device no longer exists: remove it. */
		GONE,

		/**
		 * The message will never be accepted, though the device may be fine: give it up.
		 */
		REFUSED,

		/** The message was not accepted now, or the result is unknown: retry later. */
		RETRY

	}

	public static PushAnswer sent(String detail) {
		return new PushAnswer(Kind.SENT, detail, null);
	}

	public static PushAnswer gone(String detail) {
		return new PushAnswer(Kind.GONE, detail, null);
	}

	public static PushAnswer refused(String detail) {
		return new PushAnswer(Kind.REFUSED, detail, null);
	}

	public static PushAnswer retry(String detail, @Nullable Duration retryAfter) {
		return new PushAnswer(Kind.RETRY, detail, retryAfter);
	}

}
