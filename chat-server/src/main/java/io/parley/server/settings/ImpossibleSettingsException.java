package io.parley.server.settings;

/**
 * Settings that the server can't start with; the message says what to do, and is all that
 * is shown.
 */
public class ImpossibleSettingsException extends RuntimeException {

	public ImpossibleSettingsException(String message) {
		super(message);
	}

}
