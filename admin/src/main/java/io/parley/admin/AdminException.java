package io.parley.admin;

/** The server refused, or did not answer. The message tells the operator what to do. */
final class AdminException extends RuntimeException {

	AdminException(String message) {
		super(message);
	}

}
