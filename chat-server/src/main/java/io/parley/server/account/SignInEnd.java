package io.parley.server.account;

/** Why a sign-in has ended. The names are stored. */
enum SignInEnd {

	/** The user signed out, on that device or from another one. */
	SIGNED_OUT,

	/** The user has changed the password. */
	PASSWORD_CHANGED,

	/** The password was reset. */
	PASSWORD_RESET,

	/** The account was disabled. */
	DISABLED,

	/** A spent refresh token was used: somebody may have stolen it. */
	REUSE,

	/** The user has signed in on too many other devices since. */
	TOO_MANY,

	/** The sign-in was not used for too long, or has reached its maximum age. */
	EXPIRED,

	/** An operator ended it. */
	ENDED_BY_OPERATOR

}
