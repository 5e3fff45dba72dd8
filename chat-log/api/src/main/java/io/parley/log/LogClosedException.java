package io.parley.log;

import org.jspecify.annotations.Nullable;

/** Thrown when the log or the reader is closed. */
public class LogClosedException extends RuntimeException {

	public LogClosedException(String message) {
		this(message, null);
	}

	public LogClosedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
