package io.parley.server.issuer;

import java.time.Duration;

import com.nimbusds.jose.KeySourceException;

/** Thrown when it cannot be told at present whether an issuer has a key. */
final class KeysUnavailableException extends KeySourceException {

	private final transient Duration retryAfter;

	/**
	 * @param retryAfter when the keys may be known
	 */
	KeysUnavailableException(String message, Duration retryAfter) {
		super(message);
		this.retryAfter = retryAfter;
	}

	Duration retryAfter() {
		return this.retryAfter;
	}

}
