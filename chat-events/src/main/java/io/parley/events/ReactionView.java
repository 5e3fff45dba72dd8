package io.parley.events;

import java.util.List;

/**
 * A reaction to a message as one user sees it.
 *
 * @param n how many users have given it
 * @param mine whether the user is one of them
 * @param users some of them
 */
public record ReactionView(int n, boolean mine, List<String> users) {

	/** The number of users who are named. */
	public static final int MAX_USERS = 10;

}
