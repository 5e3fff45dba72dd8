package io.parley.loadtest.study.pooling;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.TextTable;
import io.parley.loadtest.study.Interruption;

/** Runs all levels without the pool, then with it. */
final class PoolingStudy {

	private final Instant startedAt = Instant.now();

	private final List<Level> single = new ArrayList<>();

	private final List<Level> pooled = new ArrayList<>();

	private final PoolingOptions options;

	private final Interruption interruption;

	PoolingStudy(PoolingOptions options, Interruption interruption) {
		this.options = options;
		this.interruption = interruption;
	}

	RunReport run() {
		Duration length = this.options.warmup.plus(this.options.duration)
			.multipliedBy((this.options.onlyWithout ? 1L : 2L) * this.options.users.size());
		System.out.printf(Locale.ROOT,
				"Users read %d of %d messages, as fast as they get them: about %d s and the starts%n",
				this.options.limit, this.options.messages, length.toSeconds());
		run(false, this.single);
		if (!this.options.onlyWithout) {
			run(true, this.pooled);
		}
		RunReport report = new PoolingReport(this.options, this.single, this.pooled, this.interruption.isWanted())
			.report(this.startedAt, Duration.between(this.startedAt, Instant.now()));
		TextTable.print(report.parts());
		return report;
	}

	private void run(boolean pool, List<Level> levels) {
		if (this.interruption.isWanted()) {
			return;
		}
		try (HistoryServer server = new HistoryServer(this.options, pool);
				ClosedLoop loop = new ClosedLoop(server.newestPage(), this.interruption::isWanted)) {
			for (int users : this.options.users) {
				loop.run(users, this.options.warmup);
				Level level = loop.run(users, this.options.duration);
				if (this.interruption.isWanted()) {
					return;
				}
				levels.add(level);
				System.out.printf(Locale.ROOT,
						"%s pool, %3d users: %7.2f ms on average, %,9.1f answers/s, %,d errors %s%n",
						pool ? "with   " : "without", users, level.mean(), level.rate(), level.failed(),
						level.errors().isEmpty() ? "" : level.errors());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException ex) {
			if (!this.interruption.isWanted()) {
				throw ex;
			}
		}
	}

}
