package io.parley.server.refusal;

import java.io.IOException;

/** The body of a request goes on beyond {@link BodyLimit#MAX_BYTES}. */
final class BodyTooLargeException extends IOException {

	static final String REASON = "The body of a request may have at most " + BodyLimit.MAX_BYTES / 1024
			+ " KB; send less at once.";

	BodyTooLargeException() {
		super(REASON);
	}

}
