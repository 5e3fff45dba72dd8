package io.parley.loadtest.study.pipeline;

import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.report.Figures;
import io.parley.loadtest.study.pipeline.PairResult.Steps;
import io.parley.loadtest.study.server.ProcessUsage.Use;

/**
 * The result of messages sent through a new server, and its rows in the tables.
 *
 * @param server resource use of its process from the first message to the last delivery
 */
record PipelineRun(PipelineCommand.Plan plan, PairResult result, Use server, JvmPeaks.Peaks jvm) {

	/**
	 * The figures of the document that this study repeats, from other hardware and
	 * without storage of the messages.
	 */
	private static final List<Object> PUBLISHED_ONE = List.of("ActiveMQ 5.7, 1 sender, JMeter, other hardware",
			1_000_000L, 98.0, 10_204.0, "", 100.0, 10_000.0, "", "", 0L, 5.0, "", "", "", "");

	private static final List<Object> PUBLISHED_PAIRS = List.of(
			"ActiveMQ 5.7, 200 senders, 200 receivers, other hardware", 100_000_000L, 15_636.0, 6_260.0, "", 16_138.0,
			6_236.0, "", "", 2_509L, 10.65, 35.0, "below 1,000", "", "");

	String title() {
		return this.plan.title();
	}

	Steps<Long> messages() {
		return this.result.messages();
	}

	/**
	 * Returns the messages per second that completed each step.
	 */
	Steps<Double> rates() {
		Steps<Double> seconds = this.result.seconds();
		return new Steps<>(rate(messages().sent(), seconds.sent()), rate(messages().accepted(), seconds.accepted()),
				rate(messages().delivered(), seconds.delivered()), rate(messages().stored(), seconds.stored()));
	}

	private static double rate(long messages, double seconds) {
		return (seconds > 0) ? Figures.whole(messages / seconds) : 0;
	}

	long missing() {
		return messages().sent() - messages().accepted() + this.result.missing();
	}

	/**
	 * Returns the rows of the table of steps, with the published figures as the last one.
	 */
	List<List<Object>> steps() {
		List<Object> published = (this.plan.pairs() == 1) ? PUBLISHED_ONE : PUBLISHED_PAIRS;
		long wanted = (Long) published.get(1);
		List<List<Object>> rows = new ArrayList<>();
		rows.add(measured());
		if (messages().sent() < wanted) {
			rows.add(extrapolated(wanted));
		}
		rows.add(published);
		return rows;
	}

	private List<Object> measured() {
		Steps<Double> seconds = this.result.seconds();
		Steps<Double> rates = rates();
		int cores = Runtime.getRuntime().availableProcessors();
		return List.of(title(), messages().sent(), Figures.cents(seconds.sent()), rates.sent(), rates.accepted(),
				Figures.cents(seconds.delivered()), rates.delivered(), Figures.cents(seconds.stored()), rates.stored(),
				missing(), Figures.whole(100 * this.server.cores() / cores),
				Figures.whole(100 * this.server.maxCores() / cores), this.jvm.heapMb(), this.jvm.threads(),
				this.jvm.classes());
	}

	/**
	 * Returns a row with the time that as many messages as in the document would take at
	 * the same rates.
	 */
	private List<Object> extrapolated(long wanted) {
		double times = (double) wanted / Math.max(1, messages().sent());
		Steps<Double> seconds = this.result.seconds();
		return List.of("the same, extrapolated, not run", wanted, Figures.whole(seconds.sent() * times), rates().sent(),
				"", Figures.whole(seconds.delivered() * times), "", Figures.whole(seconds.stored() * times), "", "", "",
				"", "", "", "");
	}

	List<Object> ledger() {
		return List.of(title(), messages().sent(), messages().accepted(), messages().stored(), messages().delivered(),
				this.result.lookedUp(), missing(), this.result.doubled(), this.result.misplaced());
	}

	List<Object> latencies() {
		return List.of(title(), Figures.cents(this.result.accepting().p50()),
				Figures.cents(this.result.accepting().p99()), Figures.cents(this.result.accepting().max()),
				Figures.cents(this.result.delivering().p50()), Figures.cents(this.result.delivering().p99()),
				Figures.cents(this.result.delivering().max()));
	}

}
