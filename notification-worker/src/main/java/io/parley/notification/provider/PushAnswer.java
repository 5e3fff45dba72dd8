package io.parley.notification.provider;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What became of one message.
 *
 * @param detail for the operators: a stable word, and a sentence where there is more to
 * say
 * @param retryAfter how long the provider asks to wait at least; null when it says
 * nothing
 */
public record PushAnswer(Kind kind, String detail, @Nullable Duration retryAfter) {

	/** What to do next. */
	public enum Kind {

		/** It was taken: nothing. */
		SENT,

		/** The device is not there any more: forget it. */
		GONE,

		/** It will never be taken, though the device may be fine: give it up. */
		REFUSED,

		/** It was not taken now, or nobody knows: try again later. */
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
