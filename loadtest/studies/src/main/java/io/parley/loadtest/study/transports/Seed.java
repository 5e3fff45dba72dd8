package io.parley.loadtest.study.transports;

import java.util.List;
import java.util.Map;

/**
 * The seconds measured by the study of 2004, on other hardware. Only the shapes and the
 * ratios of the columns can be compared.
 */
final class Seed {

	static final List<String> COLUMNS = List.of("2004 socket", "2004 RMI", "2004 JMS");

	private static final String NONE = "";

	private static final String FAILED = "failed";

	private static final Map<String, List<Object>> FIGURES = Map.ofEntries(row("transfer 1 100", 0.031, 0.22, 0.843),
			row("transfer 1 900", 0.109, 1.719, 3.625), row("capacity 100 1", 0.594, 4.62, 9.48),
			row("capacity 300 1", 3.235, 30.67, 69.67), row("capacity 500 1", 9.110, 80.73, 197.80),
			row("capacity 700 1", 17.125, 160.95, 417.63), row("capacity 900 1", 29.891, 160.95, 697.77),
			row("broadcast 100 10", 3.39, "about ×10", 8.8), row("broadcast 100 100", 35.7, "about ×10", 915.9),
			row("broadcast 100 300", 104.2, "about ×10", FAILED), row("broadcast 300 10", 29.9, "about ×10", 978.5),
			row("broadcast 300 100", 305.7, "about ×10", FAILED), row("broadcast 300 300", 961.9, "about ×10", FAILED),
			row("broadcast 500 10", 86.0, "about ×10", FAILED), row("broadcast 500 100", 866.7, "about ×10", FAILED),
			row("broadcast 500 300", 2587.7, "about ×10", FAILED), row("size 1000", 0.4, 1.92, 3.75),
			row("size 10000", 1.485, 4.203, 8.853));

	private Seed() {
	}

	/**
	 * Returns the figures for a cell; empty strings where there are none.
	 */
	static List<Object> figures(Cell cell) {
		boolean bySize = cell.experiment() == Experiment.SIZE;
		String key = bySize ? (cell.messages() == 1000) ? "size " + cell.bytes() : NONE
				: cell.experiment() + " " + cell.clients() + " " + cell.messages();
		return FIGURES.getOrDefault(key, List.of(NONE, NONE, NONE));
	}

	private static Map.Entry<String, List<Object>> row(String key, Object socket, Object rmi, Object jms) {
		return Map.entry(key, List.of(socket, rmi, jms));
	}

}
