package io.parley.loadtest.reactions;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.session.Pace;
import io.parley.loadtest.session.Session;

/**
 * Users who react to one message in turn: each one gives a reaction and takes it back,
 * then another one. Used by one thread.
 */
final class Reactors {

	private static final List<String> KEYS = List.of("\ud83d\udc4d", "\u2764\ufe0f", "\ud83d\ude02", ":party:",
			":done:");

	private final List<Session> sessions;

	private final long target;

	/** The keys of the reactions that each user has given, by the number of the user. */
	private final Map<Integer, Set<String>> given = new HashMap<>();

	private long sent;

	Reactors(List<Session> sessions, long target) {
		this.sessions = sessions;
		this.target = target;
	}

	/**
	 * Reacts at a constant pace until that time.
	 * @param end as {@link System#nanoTime()}
	 */
	void react(double perSecond, long end) {
		Pace pace = Pace.startingNow(perSecond);
		for (long n = 0; pace.intended(n) < end && !Interrupt.requested(); n++) {
			pace.await(n);
			one(n);
		}
	}

	private void one(long n) {
		int user = (int) (n % this.sessions.size());
		long times = n / this.sessions.size();
		String key = KEYS.get((int) ((user + times / 2) % KEYS.size()));
		Set<String> keys = this.given.computeIfAbsent(user, (none) -> new HashSet<>());
		boolean on = keys.add(key);
		if (!on) {
			keys.remove(key);
		}
		this.sessions.get(user).react(this.target, key, on);
		this.sent++;
	}

	/**
	 * Returns the number of reactions that were sent.
	 */
	long sent() {
		return this.sent;
	}

	/**
	 * Returns how many users have given each reaction.
	 */
	Map<String, Integer> counts() {
		Map<String, Integer> counts = new HashMap<>();
		this.given.values().forEach((keys) -> keys.forEach((key) -> counts.merge(key, 1, Integer::sum)));
		return counts;
	}

}
