package io.parley.log;

import org.jspecify.annotations.Nullable;

/** Thrown when the log can't be opened or read; the message says what to do. */
public class LogUnavailableException extends RuntimeException {

	public LogUnavailableException(String message) {
		this(message, null);
	}

	public LogUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
