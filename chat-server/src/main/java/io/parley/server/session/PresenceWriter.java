package io.parley.server.session;

/** Writes a part of what this node vouches for with its lease. One thread at a time. */
public interface PresenceWriter {

	/**
	 * Nothing that was written counts any more: the node has just started, or another one
	 * has taken it for dead. From now on everything is to be written again.
	 * @throws RuntimeException when the store does not answer; then it is called again
	 */
	void begin(String node);

	/**
	 * Writes a limited part of what has changed. What it could not write it writes the
	 * next time.
	 * @return whether more is left that changed before this call
	 * @throws RuntimeException when it can't be written now
	 */
	boolean write(String node);

}
