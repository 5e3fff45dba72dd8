package io.parley.loadtest.study.pooling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.report.Figures;
import io.parley.loadtest.study.Study.Findings;

/**
 * Runs all levels first without the pool, then with it.
 */
final class PoolingStudy {

	private final List<Level> single = new ArrayList<>();

	private final List<Level> pooled = new ArrayList<>();

	private final PoolingOptions options;

	PoolingStudy(PoolingOptions options) {
		this.options = options;
	}

	void run() throws InterruptedException {
		Duration length = this.options.warmup.plus(this.options.duration)
			.multipliedBy((this.options.onlyWithout ? 1L : 2L) * this.options.users.size());
		System.out.printf(Locale.ROOT,
				"Users read %d of %d messages at the maximum rate: about %s plus the server starts%n",
				this.options.limit, this.options.messages, Figures.text(length));
		run(false, this.single);
		if (!this.options.onlyWithout) {
			run(true, this.pooled);
		}
	}

	Findings findings() {
		return new PoolingReport(this.options, this.single, this.pooled).findings();
	}

	private void run(boolean pool, List<Level> levels) throws InterruptedException {
		if (Interrupt.requested()) {
			return;
		}
		try (HistoryServer server = new HistoryServer(this.options, pool);
				ClosedLoop loop = new ClosedLoop(server.newestPage(), Interrupt::requested)) {
			for (int users : this.options.users) {
				loop.run(users, this.options.warmup);
				Level level = loop.run(users, this.options.duration);
				if (Interrupt.requested()) {
					return;
				}
				levels.add(level);
				System.out.printf(Locale.ROOT,
						"%s pool, %3d users: %7.2f ms on average, %,9.1f answers/s, %,d errors %s%n",
						pool ? "with   " : "without", users, level.mean(), level.rate(), level.failed(),
						level.errors().isEmpty() ? "" : level.errors());
			}
		}
	}

}
