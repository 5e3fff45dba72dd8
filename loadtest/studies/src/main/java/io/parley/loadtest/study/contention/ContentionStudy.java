package io.parley.loadtest.study.contention;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.study.Study.Findings;

/**
 * Runs all ways of joining one after the other, each with a separate server.
 */
final class ContentionStudy {

	private final ContentionOptions options;

	private final Map<Way, List<Rush>> rushes = new LinkedHashMap<>();

	ContentionStudy(ContentionOptions options) {
		this.options = options;
	}

	void run() throws Exception {
		System.out.printf(Locale.ROOT, "%,d users join a room of %,d places within %,d ms, %d times in each way%n",
				this.options.users, this.options.places, this.options.within.toMillis(), this.options.runs);
		for (Way way : this.options.ways()) {
			if (!Interrupt.requested()) {
				List<Rush> results = new ArrayList<>();
				this.rushes.put(way, results);
				run(way, results);
			}
		}
	}

	Findings findings() {
		return new ContentionReport(this.options, this.rushes).findings();
	}

	private void run(Way way, List<Rush> results) throws Exception {
		try (Arena arena = open(way)) {
			for (int n = 1; n <= this.options.runs && !Interrupt.requested(); n++) {
				Rush rush = Rush.at(arena, this.options.users, this.options.places, this.options.within);
				if (Interrupt.requested()) {
					return;
				}
				results.add(rush);
				System.out.printf(Locale.ROOT,
						"%-20s run %2d%s  mean %7.1f ms  %,d joined, %,d full, %,d errors %s%s%n", way.title, n,
						(n <= this.options.dropped) ? " (dropped)" : "          ",
						rush.millis().stream().mapToDouble(Double::doubleValue).average().orElse(0), rush.joined(),
						rush.full(), rush.failed(), rush.errors().isEmpty() ? "" : rush.errors(),
						rush.wrong().isEmpty() ? "" : " WRONG: " + rush.wrong());
			}
		}
	}

	private Arena open(Way way) {
		if (way != Way.PARLEY) {
			return JoinServerArena.start(way, this.options);
		}
		LocalServer server = LocalServer.start(this.options.serverJar, List.of(), this.options.settings());
		try {
			return new ParleyArena(server.url(), server, this.options.users);
		}
		catch (RuntimeException ex) {
			server.close();
			throw ex;
		}
	}

}
