package io.parley.loadtest.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Scripts for common purposes.
 */
enum Plan {

	/** Ends connections. */
	CUTS("every %1$s cut one"),

	/** Slows one direction or both. */
	DELAYS("every %1$s delay one to client by 20ms..500ms for %2$s",
			"every %1$s delay one to server by 20ms..500ms for %2$s"),

	/** Connections that are silent. */
	HALF_OPEN("every %1$s half-open one"),

	/** Parts of frames. */
	TAILS("every %1$s cut-inside one to client", "every %1$s cut-inside one to server"),

	/** Everything. */
	MIXED("every %1$s cut one", "every %1$s cut-inside one to client", "every %1$s cut-inside one to server",
			"every %1$s swallow-receipt one", "every %1$s delay one by 20ms..500ms for %2$s",
			"every %1$s trickle one for %2$s", "every %1$s omit one", "every %1$s repeat one",
			"every 20s..60s half-open one", "every 20s..60s close one with 1001", "every 20s..60s close one with 1013",
			"every 20s..60s cut all", "every 20s..60s refuse for %2$s", "every 20s..60s answer-503 for %2$s");

	private final List<String> lines;

	Plan(String... lines) {
		this.lines = List.of(lines);
	}

	/**
	 * Returns the lines of the script.
	 * @param every the mean time between two faults of a kind
	 */
	List<String> lines(Duration every, boolean restarting) {
		long millis = Math.max(1, every.toMillis());
		String around = Math.max(1, millis / 2) + "ms.." + (millis + millis / 2) + "ms";
		List<String> script = new ArrayList<>();
		this.lines.forEach((line) -> script.add(line.formatted(around, millis + "ms")));
		if (restarting) {
			script.add("every 20s..60s restart");
		}
		return script;
	}

}
