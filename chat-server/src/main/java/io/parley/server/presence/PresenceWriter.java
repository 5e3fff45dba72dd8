package io.parley.server.presence;

/**
 * Writes one part of the presence that the lease of this node covers. Called by one
 * thread at a time.
 */
public interface PresenceWriter {

	/**
	 * Invalidates everything written so far: the node has just started, or another node
	 * has considered it dead. From now on everything must be written again.
	 * @throws RuntimeException if the store does not answer; then the method is called
	 * again
	 */
	void begin(String node);

	/**
	 * Writes a limited number of changes. Changes that it fails to write are written in
	 * the next call.
	 * @return whether more changes are left that were made before this call
	 * @throws RuntimeException if the changes cannot be written now
	 */
	boolean write(String node);

}
