package io.parley.loadtest.faults;

import java.util.Locale;
import java.util.Random;

import org.jspecify.annotations.Nullable;

/**
 * What a rule of a script does.
 *
 * @param whom the connections that it happens to
 * @param how how a connection is cut; null for one of both, by chance
 * @param to the receiver whose bytes are delayed; null for both
 * @param by the milliseconds of a delay, or the code of a close frame
 * @param length how many milliseconds it lasts, for the kinds that last
 */
record Action(Kind kind, Whom whom, @Nullable How how, @Nullable Side to, Range by, long length) {

	/**
	 * Kinds of faults.
	 */
	enum Kind {

		/** Ends a connection between two frames. */
		CUT,
		/** Forwards only a part of the next frame and ends the connection. */
		CUT_INSIDE,
		/** Ends a connection instead of forwarding that a message was accepted. */
		SWALLOW_RECEIPT,
		/** Sends a close frame to the client and ends the connection. */
		CLOSE,
		/** Forwards nothing more, although the connection stays open. */
		HALF_OPEN,
		/** Forwards later. */
		DELAY,
		/** Forwards a few bytes at a time. */
		TRICKLE,
		/** Leaves out the next event of a room. */
		OMIT,
		/** Forwards the next event of a room twice. */
		REPEAT,
		/** Lets the next resume begin at a position that the server does not have. */
		STALE_AFTER,
		/** Resets new connections. */
		REFUSE,
		/** Answers new connections with the HTTP status 503. */
		ANSWER_503,
		/** Runs the command that restarts the server. */
		RESTART;

		/**
		 * Returns the word of a script.
		 */
		String word() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

		boolean endsConnection() {
			return this == CUT || this == CUT_INSIDE || this == SWALLOW_RECEIPT || this == CLOSE || this == HALF_OPEN;
		}

	}

	/**
	 * Connections.
	 */
	enum Whom {

		/** The WebSocket whose frames were counted. */
		ITSELF,
		/** Any one WebSocket. */
		ONE,
		/** Each WebSocket. */
		WEBSOCKETS,
		/** Each connection. */
		ALL,
		/** The proxy or the server, not a connection. */
		EVERYTHING

	}

	/**
	 * Ways to end a connection.
	 */
	enum How {

		/** RST: what is under way is lost. */
		RESET,
		/** FIN without a WebSocket close frame. */
		END;

		static How any(Random random) {
			return random.nextBoolean() ? RESET : END;
		}

	}

	How how(Random random) {
		return (this.how != null) ? this.how : How.any(random);
	}

}
