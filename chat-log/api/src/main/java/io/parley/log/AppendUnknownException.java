package io.parley.log;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when it is unknown whether a record is in the log: no confirmation arrived in
 * time, or the write failed.
 */
public class AppendUnknownException extends RuntimeException {

	public AppendUnknownException(String message) {
		this(message, null);
	}

	public AppendUnknownException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
