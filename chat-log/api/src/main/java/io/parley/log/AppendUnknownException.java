package io.parley.log;

import org.jspecify.annotations.Nullable;

/** Nobody knows whether the record is in the log: no confirm came in time. */
public class AppendUnknownException extends RuntimeException {

	public AppendUnknownException(String message) {
		this(message, null);
	}

	public AppendUnknownException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
