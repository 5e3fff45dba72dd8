package io.parley.server.error;

import java.io.IOException;

/** Thrown when a request body exceeds what {@link BodyLimit} allows. */
final class BodyRejectedException extends IOException {

	private final ErrorCode errorCode;

	BodyRejectedException(ErrorCode errorCode, String reason) {
		super(reason);
		this.errorCode = errorCode;
	}

	ErrorCode errorCode() {
		return this.errorCode;
	}

	String reason() {
		return String.valueOf(getMessage());
	}

}
