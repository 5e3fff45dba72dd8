package io.parley.loadtest.local;

/**
 * Removes shutdown hooks.
 */
final class Cleaners {

	private Cleaners() {
	}

	/**
	 * Removes a shutdown hook. During the shutdown it stays and runs.
	 */
	static void remove(Thread cleaner) {
		try {
			Runtime.getRuntime().removeShutdownHook(cleaner);
		}
		catch (IllegalStateException ex) {
			// The JVM is shutting down: the hook does the clean-up.
		}
	}

}
