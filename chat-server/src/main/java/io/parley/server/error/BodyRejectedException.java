package io.parley.server.error;

import java.io.IOException;

/** Thrown when a request body exceeds what {@link BodyLimit} allows. */
final class BodyRejectedException extends IOException {

	private final ErrorCode refusal;

	BodyRejectedException(ErrorCode refusal, String reason) {
		super(reason);
		this.refusal = refusal;
	}

	ErrorCode refusal() {
		return this.refusal;
	}

	String reason() {
		return String.valueOf(getMessage());
	}

}
