package io.parley.loadtest.study.transports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.transports.Round.Outcome;
import io.parley.loadtest.study.transports.TransportsCommand.Kind;

/**
 * Creates the tables of the study, with the figures of 2004 next to the new ones.
 */
final class TransportsReport {

	private static final String HOW = "Every server runs in a separate process with a heap of 512 MB; clients and"
			+ " server share this machine. Every delivery is checked: each client gets each message once, complete,"
			+ " and in order for each sender. A message of a broadcast is in flight until all clients have it; at most"
			+ " 1,000 messages are in flight. Socket, RMI and JMS store nothing; Parley syncs each message to disk,"
			+ " confirms it by a receipt and stores it in its database at the same time. JMS is Artemis without a"
			+ " journal. RMI delivers all queued messages of a client in one call, the socket in one write.";

	private static final String TENFOLD = "about ×10";

	private static final String FAILED = "failed";

	/**
	 * The seconds measured in 2004, on other hardware. Only the shapes and the ratios of
	 * the columns can be compared.
	 */
	private static final Map<String, List<Object>> PUBLISHED = Map.ofEntries(row("transfer 1 100", 0.031, 0.22, 0.843),
			row("transfer 1 900", 0.109, 1.719, 3.625), row("capacity 100 1", 0.594, 4.62, 9.48),
			row("capacity 300 1", 3.235, 30.67, 69.67), row("capacity 500 1", 9.110, 80.73, 197.80),
			row("capacity 700 1", 17.125, 160.95, 417.63), row("capacity 900 1", 29.891, 160.95, 697.77),
			row("broadcast 100 10", 3.39, TENFOLD, 8.8), row("broadcast 100 100", 35.7, TENFOLD, 915.9),
			row("broadcast 100 300", 104.2, TENFOLD, FAILED), row("broadcast 300 10", 29.9, TENFOLD, 978.5),
			row("broadcast 300 100", 305.7, TENFOLD, FAILED), row("broadcast 300 300", 961.9, TENFOLD, FAILED),
			row("broadcast 500 10", 86.0, TENFOLD, FAILED), row("broadcast 500 100", 866.7, TENFOLD, FAILED),
			row("broadcast 500 300", 2587.7, TENFOLD, FAILED), row("size 1000", 0.4, 1.92, 3.75),
			row("size 10000", 1.485, 4.203, 8.853));

	private final List<Cell> cells;

	private final Map<Kind, List<Outcome>> outcomes;

	TransportsReport(List<Cell> cells, Map<Kind, List<Outcome>> outcomes) {
		this.cells = cells;
		this.outcomes = outcomes;
	}

	Findings findings() {
		Findings findings = new Findings("Socket, RMI, JMS and Parley's STOMP", passed(),
				comparison() + completeness() + ".");
		for (Experiment experiment : Experiment.values()) {
			table(findings, experiment);
		}
		chart(findings, "Capacity", Experiment.CAPACITY, "clients", Cell::clients);
		chart(findings, "Message size", Experiment.SIZE, "bytes", Cell::bytes);
		this.outcomes.forEach((kind, results) -> metrics(findings, kind, results));
		return findings.note("How it was measured", HOW);
	}

	private boolean passed() {
		return this.outcomes.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().isParley())
			.allMatch((entry) -> entry.getValue().stream().filter(Outcome::isComplete).count() == this.cells.size());
	}

	private void table(Findings findings, Experiment experiment) {
		List<List<Object>> rows = this.cells.stream()
			.filter((cell) -> cell.experiment() == experiment)
			.map(this::row)
			.toList();
		if (!rows.isEmpty()) {
			List<String> columns = new ArrayList<>(List.of("clients", "messages", "bytes", "deliveries"));
			this.outcomes.keySet().forEach((kind) -> columns.add(kind.title));
			columns.addAll(List.of("2004 socket", "2004 RMI", "2004 JMS"));
			findings.table(experiment.title, columns, rows, "In seconds. The figures of 2004 are from other hardware.");
		}
	}

	private List<Object> row(Cell cell) {
		List<Object> row = new ArrayList<>(List.of(cell.clients(), cell.messages(), cell.bytes(), cell.deliveries()));
		this.outcomes.values()
			.forEach((results) -> row.add(results.stream()
				.filter((outcome) -> outcome.cell().equals(cell))
				.findFirst()
				.map(Outcome::displayValue)
				.orElse("")));
		row.addAll(published(cell));
		return row;
	}

	private void chart(Findings findings, String title, Experiment experiment, String x, ToDoubleFunction<Cell> size) {
		findings.chart(title, new Axis(x, false), new Axis("seconds", true),
				this.outcomes.entrySet()
					.stream()
					.map((entry) -> Findings.series(entry.getKey().title,
							of(entry.getValue(), experiment).filter(Outcome::isComplete).toList(),
							(outcome) -> size.applyAsDouble(outcome.cell()), Outcome::seconds))
					.toList());
	}

	private static void metrics(Findings findings, Kind kind, List<Outcome> results) {
		for (Experiment experiment : Experiment.values()) {
			double rate = rate(results, experiment);
			if (rate > 0) {
				findings.higher(experiment + ", " + kind.title, Math.round(rate), "1/s");
			}
		}
		findings.lower("cells not completed, " + kind.title,
				results.stream().filter((outcome) -> !outcome.isComplete()).count(), "");
	}

	private static Stream<Outcome> of(List<Outcome> results, Experiment experiment) {
		return results.stream().filter((outcome) -> outcome.cell().experiment() == experiment);
	}

	/**
	 * Returns the deliveries per second over all cells of an experiment; 0 if there were
	 * none.
	 */
	private static double rate(List<Outcome> results, Experiment experiment) {
		double seconds = of(results, experiment).mapToDouble(Outcome::seconds).sum();
		return (seconds > 0) ? of(results, experiment).mapToLong(Outcome::arrived).sum() / seconds : 0;
	}

	private double broadcastRate(Kind kind) {
		return rate(this.outcomes.getOrDefault(kind, List.of()), Experiment.BROADCAST);
	}

	private String comparison() {
		double bus = broadcastRate(Kind.BUS);
		if (bus == 0) {
			return "";
		}
		StringBuilder text = new StringBuilder(
				String.format(Locale.ROOT, "In broadcast Parley's bus carried %,.0f deliveries/s", bus));
		Stream.of(Kind.RMI, Kind.JMS, Kind.SOCKET)
			.filter((other) -> broadcastRate(other) > 0)
			.forEach((other) -> text.append(String.format(Locale.ROOT, ", %.2g times the rate of %s",
					bus / broadcastRate(other), (other == Kind.SOCKET) ? "a plain socket" : other.title)));
		return text.append("; ").toString();
	}

	private String completeness() {
		List<Outcome> parley = this.outcomes.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().isParley())
			.flatMap((entry) -> entry.getValue().stream())
			.toList();
		if (parley.isEmpty()) {
			return "Parley did not run";
		}
		return String.format(Locale.ROOT,
				passed() ? "of %2$,d deliveries of Parley nothing was missing, doubled or out of order"
						: "Parley completed %1$,d of %2$,d deliveries",
				parley.stream().mapToLong(Outcome::arrived).sum(),
				parley.stream().mapToLong((outcome) -> outcome.cell().deliveries()).sum());
	}

	private static List<Object> published(Cell cell) {
		boolean bySize = cell.experiment() == Experiment.SIZE;
		String key = bySize ? (cell.messages() == 1000) ? "size " + cell.bytes() : ""
				: cell.experiment() + " " + cell.clients() + " " + cell.messages();
		return PUBLISHED.getOrDefault(key, List.of("", "", ""));
	}

	private static Map.Entry<String, List<Object>> row(String key, Object socket, Object rmi, Object jms) {
		return Map.entry(key, List.of(socket, rmi, jms));
	}

}
