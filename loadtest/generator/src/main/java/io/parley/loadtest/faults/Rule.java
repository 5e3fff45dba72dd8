package io.parley.loadtest.faults;

/**
 * A line of a script.
 *
 * @param repeated whether the action happens again and again
 */
record Rule(boolean repeated, When when, Action action) {

	/**
	 * When an action happens.
	 */
	sealed interface When {

	}

	/**
	 * After that many milliseconds.
	 */
	record Time(Range millis) implements When {
	}

	/**
	 * In each WebSocket by itself, after that many frames to one side.
	 */
	record Frames(Range count, Side to) implements When {
	}

}
