package io.parley.loadtest.study.transports;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.study.Study.Findings;
import io.parley.loadtest.study.transports.Outcome.End;
import io.parley.loadtest.study.transports.TransportsOptions.Kind;

/**
 * Runs every cell on every transport, one after the other.
 */
final class TransportsStudy {

	private static final Cell WARM_UP = new Cell(Experiment.BROADCAST, 10, 200, 100);

	private final Instant startedAt = Instant.now();

	private final TransportsOptions options;

	private final Transports transports;

	private final Map<Kind, List<Outcome>> outcomes = new LinkedHashMap<>();

	private int done;

	TransportsStudy(TransportsOptions options) {
		this.options = options;
		this.transports = new Transports(options);
	}

	void run() {
		List<Kind> kinds = this.options.kinds();
		Console.line("%d cells on each of %s, one server after the other; a cell is stopped after %d s",
				this.options.cells().size(), kinds, this.options.cellLimit.toSeconds());
		for (Kind kind : kinds) {
			if (!Interrupt.requested()) {
				run(kind);
			}
		}
	}

	Findings findings() {
		return new TransportsReport(this.options, this.outcomes).findings();
	}

	private void run(Kind kind) {
		List<Outcome> results = new ArrayList<>();
		this.outcomes.put(kind, results);
		List<Cell> cells = this.options.cells();
		int all = cells.size() * this.options.kinds().size();
		try (Transport transport = this.transports.start(kind)) {
			new Round(transport, WARM_UP, this.options.cellLimit).run();
			for (Cell cell : cells) {
				Outcome outcome = new Round(transport, cell, this.options.cellLimit).run();
				results.add(outcome);
				Console.done(transport, outcome, ++this.done, all, Duration.between(this.startedAt, Instant.now()));
				if (outcome.end() == End.INTERRUPTED || Interrupt.requested()) {
					return;
				}
			}
		}
	}

}
