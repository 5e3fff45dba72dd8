package io.parley.log;

import org.jspecify.annotations.Nullable;

/** The log or the reader was closed. */
public class LogClosedException extends RuntimeException {

	public LogClosedException(String message) {
		this(message, null);
	}

	public LogClosedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
