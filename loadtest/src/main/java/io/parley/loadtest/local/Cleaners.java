package io.parley.loadtest.local;

/** What is run when this JVM ends. */
final class Cleaners {

	private Cleaners() {
	}

	/** Takes one back; when this JVM ends already, it runs. */
	static void remove(Thread cleaner) {
		try {
			Runtime.getRuntime().removeShutdownHook(cleaner);
		}
		catch (IllegalStateException ex) {
			// The JVM ends: the cleaner does what is to be done.
		}
	}

}
