package io.parley.server.refusal;

import java.io.IOException;

/** The body of a request goes beyond what {@link BodyLimit} allows. */
final class BodyRefusedException extends IOException {

	private final Refusal refusal;

	BodyRefusedException(Refusal refusal, String reason) {
		super(reason);
		this.refusal = refusal;
	}

	Refusal refusal() {
		return this.refusal;
	}

	String reason() {
		return String.valueOf(getMessage());
	}

}
