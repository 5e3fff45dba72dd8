package io.parley.jmeter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.jmeter.engine.StandardJMeterEngine;
import org.apache.jmeter.threads.JMeterContextService;
import us.abstracta.jmeter.javadsl.core.DslTestPlan;
import us.abstracta.jmeter.javadsl.core.TestPlanStats;
import us.abstracta.jmeter.javadsl.core.engines.EmbeddedJmeterEngine;

/**
 * One run of a plan by JMeter's engine in this JVM. When the JVM is shut down, the users
 * are stopped and the report is still written.
 */
final class PlanRun {

	private static final int PROGRESS_SECONDS = 5;

	private final CountDownLatch reported = new CountDownLatch(1);

	private final JmeterOptions options;

	private final Path plan;

	private final Path tokens;

	private final String report;

	/**
	 * Creates a run.
	 * @param tokens the file of users, in the format of the plans
	 * @param report the name of the folder to create for JMeter's report
	 */
	PlanRun(JmeterOptions options, Path plan, Path tokens, String report) {
		this.options = options;
		this.plan = plan;
		this.tokens = tokens;
		this.report = report;
	}

	TestPlanStats run() {
		Thread stopper = new Thread(this::stop);
		Runtime.getRuntime().addShutdownHook(stopper);
		try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
			clock.scheduleAtFixedRate(new Progress(this.options), PROGRESS_SECONDS, PROGRESS_SECONDS, TimeUnit.SECONDS);
			Files.createDirectories(this.options.report);
			TestPlanStats stats = DslTestPlan.fromJmx(this.plan.toString())
				.children(new Dashboard(this.options.report, this.report))
				.runIn(engine());
			clock.shutdownNow();
			return stats;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
		}
		finally {
			this.reported.countDown();
		}
	}

	/**
	 * Returns an engine with the parameters of the plan. JMeter reads all parameters as
	 * text.
	 */
	private EmbeddedJmeterEngine engine() {
		EmbeddedJmeterEngine engine = new EmbeddedJmeterEngine();
		Map<String, Object> parameters = Map.of("host", this.options.url.getHost(), "port", this.options.port(),
				"users", this.options.users, "ramp", this.options.ramp, "loops", this.options.loops, "hold",
				this.options.hold, "messages", this.options.messages, "think", this.options.think, "receipts",
				!this.options.plain, "tokens", this.tokens.toAbsolutePath());
		parameters.forEach((name, value) -> engine.prop(name, value.toString()));
		return engine;
	}

	private void stop() {
		StandardJMeterEngine.stopEngineNow();
		try {
			this.reported.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Prints every few seconds how many users were started and how many have finished.
	 */
	private static final class Progress implements Runnable {

		private final JmeterOptions options;

		private final long start = System.nanoTime();

		Progress(JmeterOptions options) {
			this.options = options;
		}

		@Override
		public void run() {
			long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - this.start);
			JMeterContextService.ThreadCounts counts = JMeterContextService.getThreadCounts();
			long left = Math.max(0, this.options.ramp + (long) this.options.hold * this.options.loops - seconds);
			System.out.printf("%,4d s: %,d of %,d users started, %,d active, %,d done; at least %,d s to go%n", seconds,
					counts.startedThreads, this.options.users, counts.activeThreads, counts.finishedThreads, left);
		}

	}

}
