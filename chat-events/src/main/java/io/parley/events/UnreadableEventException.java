package io.parley.events;

import org.jspecify.annotations.Nullable;

/**
 * Thrown for bytes from the log or the store that are not an event this version
 * understands.
 */
public class UnreadableEventException extends RuntimeException {

	public UnreadableEventException(String message) {
		this(message, null);
	}

	public UnreadableEventException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
