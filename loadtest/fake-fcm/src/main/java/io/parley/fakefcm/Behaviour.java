package io.parley.fakefcm;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What a request gets.
 *
 * @param retryAfter the header of the same name, where the answer is an error; null to
 * leave it out
 */
public record Behaviour(Kind kind, @Nullable String retryAfter) {

	/** The answers that FCM and the network have for a request. */
	public enum Kind {

		/** 200. */
		OK,

		/** 404: the app is not installed any more. */
		UNREGISTERED,

		/** 400 with an FcmError: this is no token. */
		INVALID_TOKEN,

		/** 400 with a violation of the field of the token. */
		INVALID_TOKEN_FIELD,

		/** 400 with a violation of another field. */
		INVALID_PAYLOAD,

		/** 403: the token belongs to another project. */
		SENDER_ID_MISMATCH,

		/** 401: FCM has no good key for APNs or web push. */
		THIRD_PARTY_AUTH_ERROR,

		/** 401: the access token is not good any more. */
		UNAUTHENTICATED,

		/** 429. */
		QUOTA_EXCEEDED,

		/** 503. */
		UNAVAILABLE,

		/** 500. */
		INTERNAL,

		/** 502 with a page of a proxy. */
		BAD_GATEWAY,

		/** 501 with a status that clients do not know. */
		UNKNOWN_STATUS,

		/** Takes the request and never answers. */
		HANG,

		/** Closes the connection instead of an answer. */
		DISCONNECT,

		/** Delivers, and closes the connection instead of an answer. */
		DISCONNECT_DELIVERED

	}

	public static Behaviour of(Kind kind) {
		return new Behaviour(kind, null);
	}

	/** Of a word such as {@code quota-exceeded}. */
	static Behaviour of(String kind, @Nullable String retryAfter) {
		return new Behaviour(Kind.valueOf(kind.toUpperCase(Locale.ROOT).replace('-', '_')), retryAfter);
	}

	/** The same with a {@code Retry-After}: seconds or an HTTP date. */
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
