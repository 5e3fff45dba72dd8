package io.parley.server.session;

/** Settings that can't go together; the message says what to do. */
class ImpossibleSettingsException extends RuntimeException {

	ImpossibleSettingsException(String message) {
		super(message);
	}

}
