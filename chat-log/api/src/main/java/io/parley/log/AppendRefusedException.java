package io.parley.log;

import org.jspecify.annotations.Nullable;

/**
 * The record is not in the log and the reason says what to do; it may be appended again.
 */
public class AppendRefusedException extends RuntimeException {

	public AppendRefusedException(String message) {
		this(message, null);
	}

	public AppendRefusedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
