package io.parley.loadtest.cli;

/**
 * The run cannot start or continue. The message is a full sentence that says what to do.
 */
public final class LoadTestException extends RuntimeException {

	/**
	 * Creates the exception with a sentence for the console.
	 */
	public LoadTestException(String sentence) {
		super(sentence);
	}

}
