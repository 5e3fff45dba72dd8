package io.parley.server.account;

/**
 * Ends sign-ins of a user: their tokens are refused at once on this server, and within
 * about a second on all others, and their live sessions are closed with 4403.
 *
 * <p>
 * Both methods also stop a sign-in whose password was checked before, but which is stored
 * later. Call them after the change of the account that they follow, or in the same
 * transaction: then everything else happens when it commits. They throw what the database
 * throws; nothing has ended then. Safe for use by many threads.
 */
interface SignInEnder {

	/** Ends all sign-ins of a user. */
	void endAll(String username, SignInEnd reason);

	/**
	 * Ends all sign-ins of a user except one.
	 * @param keepSignIn the id of that sign-in: the claim {@code sid} of its tokens
	 */
	void endOthers(String username, String keepSignIn, SignInEnd reason);

}
