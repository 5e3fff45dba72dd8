package io.parley.fakefcm;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a request.
 *
 * @param retryAfter the value of the {@code Retry-After} header of an error answer; null
 * to omit the header
 */
public record Behaviour(Kind kind, @Nullable String retryAfter) {

	/**
	 * The possible outcomes of a request to FCM, including network failures.
	 */
	public enum Kind {

		/** 200. */
		OK,

		/**
		 * 404: the app is no longer installed.
		 */
		UNREGISTERED,

		/**
		 * 400 with an FcmError: the token is not valid.
		 */
		INVALID_TOKEN,

		/**
		 * 400 with a violation of the token field.
		 */
		INVALID_TOKEN_FIELD,

		/** 400 with a violation of another field. */
		INVALID_PAYLOAD,

		/** 403: the token belongs to another project. */
		SENDER_ID_MISMATCH,

		/**
		 * 401: FCM has no valid key for APNs or web push.
		 */
		THIRD_PARTY_AUTH_ERROR,

		/**
		 * 401: the access token is no longer valid.
		 */
		UNAUTHENTICATED,

		/** 429. */
		QUOTA_EXCEEDED,

		/** 503. */
		UNAVAILABLE,

		/** 500. */
		INTERNAL,

		/**
		 * 502 with a proxy's error page.
		 */
		BAD_GATEWAY,

		/**
		 * 501 with a status that clients do not know.
		 */
		UNKNOWN_STATUS,

		/**
		 * Accepts the request and never answers.
		 */
		HANG,

		/**
		 * Closes the connection instead of answering.
		 */
		DISCONNECT,

		/**
		 * Delivers the message, then closes the connection instead of answering.
		 */
		DISCONNECT_DELIVERED

	}

	public static Behaviour of(Kind kind) {
		return new Behaviour(kind, null);
	}

	/**
	 * Parses a kind such as {@code quota-exceeded}.
	 */
	static Behaviour of(String kind, @Nullable String retryAfter) {
		return new Behaviour(Kind.valueOf(kind.toUpperCase(Locale.ROOT).replace('-', '_')), retryAfter);
	}

	/**
	 * Returns a copy with a {@code Retry-After} value: seconds or an HTTP date.
	 */
	public Behaviour withRetryAfter(String value) {
		return new Behaviour(this.kind, value);
	}

	boolean delivers() {
		return this.kind == Kind.OK || this.kind == Kind.DISCONNECT_DELIVERED;
	}

	boolean disconnects() {
		return this.kind == Kind.DISCONNECT || this.kind == Kind.DISCONNECT_DELIVERED;
	}

}
