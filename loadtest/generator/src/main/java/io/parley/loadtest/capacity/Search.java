package io.parley.loadtest.capacity;

import java.util.List;

/**
 * Chooses the levels of a capacity search: increases by one half until a level fails,
 * then halves the interval down to five per cent, then repeats the best level until it is
 * confirmed. It keeps no state, so attempts of another search count, too.
 *
 * @param from the first level
 * @param ceiling the highest level that can be tried
 * @param confirm how often the best level must pass
 */
record Search(int from, int ceiling, int confirm) {

	private static final double STEP = 1.5;

	private static final double PRECISION = 0.05;

	record Attempt(int level, boolean passed) {
	}

	/**
	 * Returns the next level to try, or 0 when the search is complete.
	 */
	int next(List<Attempt> attempts) {
		int failing = firstFailing(attempts);
		int best = best(attempts);
		if (attempts.isEmpty()) {
			return Math.min(this.from, this.ceiling);
		}
		if (failing == 0) {
			return (best < this.ceiling) ? Math.min(this.ceiling, (int) Math.ceil(best * STEP))
					: unlessConfirmed(best, attempts);
		}
		if (best == 0) {
			return (failing > 1) ? Math.max(1, (int) (failing / STEP)) : 0;
		}
		boolean close = failing - best <= Math.max(1, PRECISION * best);
		return close ? unlessConfirmed(best, attempts) : (best + failing) / 2;
	}

	private int unlessConfirmed(int best, List<Attempt> attempts) {
		return (passes(best, attempts) < this.confirm) ? best : 0;
	}

	/**
	 * Returns the highest level that passed below all that failed; 0 if there is none.
	 */
	static int best(List<Attempt> attempts) {
		int failing = firstFailing(attempts);
		return attempts.stream()
			.filter((attempt) -> attempt.passed() && (failing == 0 || attempt.level() < failing))
			.mapToInt(Attempt::level)
			.max()
			.orElse(0);
	}

	/**
	 * Returns the lowest level that failed; 0 if there is none.
	 */
	static int firstFailing(List<Attempt> attempts) {
		return attempts.stream().filter((attempt) -> !attempt.passed()).mapToInt(Attempt::level).min().orElse(0);
	}

	static long passes(int level, List<Attempt> attempts) {
		return attempts.stream().filter((attempt) -> attempt.passed() && attempt.level() == level).count();
	}

}
