package io.parley.jmeter;

/**
 * The run cannot start or continue. The message is a full sentence that says what to do.
 */
final class RefusedException extends RuntimeException {

	RefusedException(String sentence) {
		super(sentence);
	}

}
