package io.parley.loadtest.study.separation;

enum Design {

	/** The database and FCM on the path of the message. */
	INLINE("inline"),
	/** The log on the path, and workers behind it. */
	LOG("log and workers");

	final String title;

	Design(String title) {
		this.title = title;
	}

}
