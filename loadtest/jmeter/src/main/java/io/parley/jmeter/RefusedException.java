package io.parley.jmeter;

/** The run cannot start or go on; the message is a sentence that says what to do. */
final class RefusedException extends RuntimeException {

	RefusedException(String sentence) {
		super(sentence);
	}

}
