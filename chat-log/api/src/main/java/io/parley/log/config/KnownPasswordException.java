package io.parley.log.config;

/** Thrown when a process would use a publicly known password on another machine. */
public final class KnownPasswordException extends RuntimeException {

	KnownPasswordException(String message) {
		super(message);
	}

}
