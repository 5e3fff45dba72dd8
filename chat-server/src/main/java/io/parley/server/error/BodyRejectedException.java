package io.parley.server.error;

import java.io.IOException;

/** Thrown when a request body exceeds what the limit of bodies allows. */
public final class BodyRejectedException extends IOException {

	private final ErrorCode errorCode;

	public BodyRejectedException(ErrorCode errorCode, String reason) {
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
