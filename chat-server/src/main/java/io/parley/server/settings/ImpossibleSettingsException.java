package io.parley.server.settings;

/**
 * Thrown when the server cannot start with its settings. Only the message is shown; it
 * says what to do.
 */
public class ImpossibleSettingsException extends RuntimeException {

	/**
	 * Creates an exception that ends the startup without a stack trace.
	 * @param message which settings are wrong and how to correct them, for an operator
	 */
	public ImpossibleSettingsException(String message) {
		super(message);
	}

}
