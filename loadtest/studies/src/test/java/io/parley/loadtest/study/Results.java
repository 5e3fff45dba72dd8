package io.parley.loadtest.study;

import java.util.Map;

import io.parley.loadtest.idle.IdleResult;
import io.parley.loadtest.idle.IdleResult.Latency;

/**
 * Results of trials that were never run.
 */
public final class Results {

	private static final Latency NONE = new Latency(0, 0, 0, 0, 0);

	private Results() {
	}

	/**
	 * Returns a passed result.
	 */
	public static IdleResult good(double p99) {
		return new IdleResult(true, 10, 1, 2, 0.5, 100, 10, 100, NONE, NONE, new Latency(100, 1, 2, p99, p99), 0, 0, 0,
				Map.of());
	}

	/**
	 * Returns a result with lost deliveries.
	 */
	public static IdleResult lossy(long lost) {
		return new IdleResult(false, 10, 1, 2, 0.5, 100, 10, 100, NONE, NONE, new Latency(100, 1, 2, 3, 4), lost, 0, 0,
				Map.of());
	}

	/**
	 * Returns a result with an error.
	 */
	public static IdleResult broken(String error) {
		return new IdleResult(false, 10, 1, 2, 0.5, 100, 10, 100, NONE, NONE, new Latency(100, 1, 2, 3, 4), 0, 0, 0,
				Map.of(error, 3L));
	}

}
