package io.parley.loadtest.cli;

/** The run cannot start or go on; the message is a sentence that says what to do. */
public final class RefusedException extends RuntimeException {

	/** Takes the sentence for the person at the console. */
	public RefusedException(String sentence) {
		super(sentence);
	}

}
