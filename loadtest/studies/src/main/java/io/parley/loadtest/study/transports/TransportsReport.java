package io.parley.loadtest.study.transports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Better;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.study.Study.Findings;
import io.parley.loadtest.study.transports.Outcome.End;
import io.parley.loadtest.study.transports.TransportsOptions.Kind;

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

	private final TransportsOptions options;

	private final Map<Kind, List<Outcome>> outcomes;

	TransportsReport(TransportsOptions options, Map<Kind, List<Outcome>> outcomes) {
		this.options = options;
		this.outcomes = outcomes;
	}

	Findings findings() {
		List<Part> parts = new ArrayList<>();
		for (Experiment experiment : Experiment.values()) {
			List<Cell> cells = this.options.cells().stream().filter((cell) -> cell.experiment() == experiment).toList();
			if (!cells.isEmpty()) {
				parts.add(table(experiment, cells));
			}
		}
		parts.add(chart("Capacity", Experiment.CAPACITY, "clients", Cell::clients));
		parts.add(chart("Message size", Experiment.SIZE, "bytes", Cell::bytes));
		parts.add(new Note("How it was measured", HOW));
		return new Findings("Socket, RMI, JMS and Parley's STOMP", passed(),
				new TransportsVerdict(this.outcomes, passed()).sentence(), metrics(), parts);
	}

	/**
	 * Returns whether all cells of Parley were run and are complete.
	 */
	private boolean passed() {
		long all = this.options.cells().size();
		return this.outcomes.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().isParley())
			.allMatch((entry) -> entry.getValue().stream().filter(Outcome::isComplete).count() == all);
	}

	private Table table(Experiment experiment, List<Cell> cells) {
		List<String> columns = new ArrayList<>(List.of("clients", "messages", "bytes", "deliveries"));
		this.outcomes.keySet().forEach((kind) -> columns.add(TransportsVerdict.name(kind)));
		columns.addAll(Seed.COLUMNS);
		List<List<Object>> rows = new ArrayList<>();
		for (Cell cell : cells) {
			List<Object> row = new ArrayList<>(
					List.of(cell.clients(), cell.messages(), cell.bytes(), cell.deliveries()));
			this.outcomes.values()
				.forEach((results) -> row.add(results.stream()
					.filter((outcome) -> outcome.cell().equals(cell))
					.findFirst()
					.map(Outcome::displayValue)
					.orElse("")));
			row.addAll(Seed.figures(cell));
			rows.add(row);
		}
		return new Table(experiment.title, columns, rows, "In seconds. The figures of 2004 are from other hardware.");
	}

	private Chart chart(String title, Experiment experiment, String x, ToDoubleFunction<Cell> abscissa) {
		List<Series> series = this.outcomes.entrySet().stream().map((entry) -> {
			List<Outcome> complete = entry.getValue()
				.stream()
				.filter((outcome) -> outcome.cell().experiment() == experiment && outcome.isComplete())
				.toList();
			return new Series(TransportsVerdict.name(entry.getKey()),
					complete.stream().map((outcome) -> abscissa.applyAsDouble(outcome.cell())).toList(),
					complete.stream().map(Outcome::seconds).toList());
		}).toList();
		return new Chart(title, new Axis(x, false), new Axis("seconds", true), series);
	}

	private List<Metric> metrics() {
		List<Metric> metrics = new ArrayList<>();
		this.outcomes.forEach((kind, results) -> {
			for (Experiment experiment : Experiment.values()) {
				double rate = TransportsVerdict.rate(results, experiment);
				if (rate > 0) {
					metrics
						.add(new Metric(String.format(Locale.ROOT, "%s, %s", experiment, TransportsVerdict.name(kind)),
								Math.round(rate), "1/s", Better.HIGHER));
				}
			}
			long bad = results.stream().filter((outcome) -> outcome.end() != End.COMPLETE).count();
			metrics.add(new Metric("cells not completed, " + TransportsVerdict.name(kind), bad, "", Better.LOWER));
		});
		return metrics;
	}

}
