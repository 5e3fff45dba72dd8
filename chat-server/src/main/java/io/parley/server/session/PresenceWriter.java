package io.parley.server.session;

/** Writes a part of what this node vouches for with its lease. One thread at a time. */
public interface PresenceWriter {

	/** Nothing of the node is there any more. */
	void clear(String node);

	/**
	 * Writes what has changed. What it could not write it writes the next time.
	 * @throws RuntimeException when it can't be written now
	 */
	void write(String node);

}
