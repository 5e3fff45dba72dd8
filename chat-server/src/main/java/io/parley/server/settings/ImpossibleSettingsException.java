package io.parley.server.settings;

/**
 * Settings that the server can't start with; the message says what to do, and is all that
 * is shown.
 */
public class ImpossibleSettingsException extends RuntimeException {

	/**
	 * Ends the start of the server, without a stack trace.
	 * @param message which settings are wrong and what to do, in words for an operator
	 */
	public ImpossibleSettingsException(String message) {
		super(message);
	}

}
