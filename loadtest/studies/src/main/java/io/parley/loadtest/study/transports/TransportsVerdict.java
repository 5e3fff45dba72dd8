package io.parley.loadtest.study.transports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.parley.loadtest.study.transports.TransportsOptions.Kind;

/**
 * Summarizes the study in one sentence.
 */
final class TransportsVerdict {

	private final Map<Kind, List<Outcome>> outcomes;

	private final boolean passed;

	TransportsVerdict(Map<Kind, List<Outcome>> outcomes, boolean passed) {
		this.outcomes = outcomes;
		this.passed = passed;
	}

	static String name(Kind kind) {
		return switch (kind) {
			case SOCKET -> "socket";
			case RMI, JMS -> kind.name();
			case SIMPLE, BUS, RELAY -> "Parley " + kind;
		};
	}

	/**
	 * Returns the deliveries per second over all cells of an experiment; 0 if there were
	 * none.
	 */
	static double rate(List<Outcome> results, Experiment experiment) {
		List<Outcome> those = results.stream().filter((outcome) -> outcome.cell().experiment() == experiment).toList();
		double seconds = those.stream().mapToDouble(Outcome::seconds).sum();
		return (seconds > 0) ? those.stream().mapToLong(Outcome::arrived).sum() / seconds : 0;
	}

	String sentence() {
		List<Outcome> parley = this.outcomes.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().isParley())
			.flatMap((entry) -> entry.getValue().stream())
			.toList();
		long arrived = parley.stream().mapToLong(Outcome::arrived).sum();
		long asked = parley.stream().mapToLong((outcome) -> outcome.cell().deliveries()).sum();
		String checked = parley.isEmpty() ? "Parley did not run"
				: String.format(Locale.ROOT,
						this.passed ? "of %2$,d deliveries of Parley nothing was missing, doubled or out of order"
								: "Parley completed %1$,d of %2$,d deliveries",
						arrived, asked);
		return comparison() + checked + ".";
	}

	private String comparison() {
		List<Outcome> ours = this.outcomes.getOrDefault(Kind.BUS, List.of());
		double bus = rate(ours, Experiment.BROADCAST);
		if (bus == 0) {
			return "";
		}
		List<String> parts = new ArrayList<>();
		for (Kind other : List.of(Kind.RMI, Kind.JMS, Kind.SOCKET)) {
			double rate = rate(this.outcomes.getOrDefault(other, List.of()), Experiment.BROADCAST);
			if (rate > 0) {
				parts.add(String.format(Locale.ROOT, "%.2g times the rate of %s", bus / rate,
						(other == Kind.SOCKET) ? "a plain socket" : name(other)));
			}
		}
		return String.format(Locale.ROOT, "In broadcast Parley's bus carried %,.0f deliveries/s%s%s; ", bus,
				parts.isEmpty() ? "" : ", ", String.join(", ", parts));
	}

}
