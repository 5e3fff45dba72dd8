package io.parley.loadtest.study;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The servers and clients of one case of a study. They are closed in reverse order; one
 * that cannot be closed is reported, and the others are closed all the same.
 */
public final class Resources implements AutoCloseable {

	private final Deque<AutoCloseable> open = new ArrayDeque<>();

	/**
	 * Adds a resource and returns it.
	 */
	public <T extends AutoCloseable> T add(T resource) {
		this.open.push(resource);
		return resource;
	}

	@Override
	public void close() {
		for (AutoCloseable resource : this.open) {
			try {
				resource.close();
			}
			catch (Exception ex) {
				System.out.println("Could not stop a process: " + ex.getMessage());
			}
		}
	}

}
