package io.parley.loadtest.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.cli.Interrupt;

/**
 * Formats the result of a trial as one sentence.
 */
public final class Verdicts {

	private Verdicts() {
	}

	/**
	 * Returns the achievement of a passed trial, or the failures of a failed one.
	 */
	public static String of(boolean passed, String held, Measures measures, int sessions) {
		if (Interrupt.requested()) {
			return "Interrupted, so not passed: these figures cover only the part that ran.";
		}
		return (passed ? held : String.join(", ", wrong(measures, sessions))) + ".";
	}

	/**
	 * Returns the failures in order of severity, the worst first.
	 */
	public static List<String> wrong(Measures measures, int sessions) {
		List<String> wrong = new ArrayList<>();
		add(wrong, measures.lost.sum(), "lost");
		add(wrong, measures.duplicates(), "duplicate");
		add(wrong, measures.count(Verdict.OUT_OF_ORDER), "out of order");
		add(wrong, measures.count(Verdict.GAP), "gaps");
		add(wrong, measures.count(Verdict.BROKEN_CHAIN), "broken chains");
		add(wrong, measures.unexpectedCloses.sum(), "unexpected closes");
		add(wrong, measures.heartBeatMisses.sum(), "heart-beat misses");
		add(wrong, sessions - measures.established.sum(), "sessions never subscribed");
		measures.errors()
			.entrySet()
			.stream()
			.max(Map.Entry.comparingByValue())
			.ifPresent((most) -> wrong.add(
					String.format(Locale.ROOT, "%,d errors, most often \"%s\"", measures.errorCount(), most.getKey())));
		return wrong;
	}

	private static void add(List<String> wrong, long count, String what) {
		if (count > 0) {
			wrong.add(String.format(Locale.ROOT, "%,d %s", count, what));
		}
	}

}
