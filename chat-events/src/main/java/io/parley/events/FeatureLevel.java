package io.parley.events;

/**
 * The level of what clients can use. It rises by one with each change of the interface
 * that clients can see; docs/api/README.md lists the levels. A client compares it with
 * the level that it needs, before and after it has signed in.
 */
public final class FeatureLevel {

	/** The level of this build. */
	public static final int CURRENT = 1;

	/** The name and the level, as in the header {@code server} of STOMP. */
	public static final String SERVER = "parley/" + CURRENT;

	private FeatureLevel() {
	}

}
