package io.parley.log;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a record is certainly not in the log. The message says what to do; the
 * record may be appended again.
 */
public class AppendRefusedException extends RuntimeException {

	public AppendRefusedException(String message) {
		this(message, null);
	}

	public AppendRefusedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
