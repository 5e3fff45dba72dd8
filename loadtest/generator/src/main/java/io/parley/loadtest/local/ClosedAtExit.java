package io.parley.loadtest.local;

/**
 * A resource outside this JVM. It ends when it is closed, or when this JVM ends.
 */
abstract class ClosedAtExit implements AutoCloseable {

	private final Thread hook = new Thread(this::end);

	/**
	 * Called when the resource exists.
	 */
	final void closeAtExit() {
		Runtime.getRuntime().addShutdownHook(this.hook);
	}

	abstract void end();

	@Override
	public final void close() {
		try {
			Runtime.getRuntime().removeShutdownHook(this.hook);
		}
		catch (IllegalStateException ex) {
			// The JVM is shutting down: the hook ends the resource.
		}
		end();
	}

}
