package io.parley.loadtest.study.pipeline;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.cli.DurationConverter;
import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.StudyCommand;
import io.parley.loadtest.study.pipeline.PipelineCommand.Plan;
import io.parley.loadtest.study.server.ProcessUsage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest pipeline}: sends at the maximum rate and accounts for each
 * message.
 */
@Command(name = "pipeline",
		description = "Sends as fast as a server confirms, by one sender and by many pairs, and then accounts for each"
				+ " message: sent, accepted, stored, delivered.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class PipelineCommand extends StudyCommand<Plan> {

	private static final List<String> SETTINGS = List.of("chat.broker.mode=bus", "chat.security.jwt.access-ttl=3h",
			"chat.history.page=1000");

	/** Estimate used until the run has a measured value. */
	private static final int MESSAGES_PER_SECOND = 8000;

	@Option(names = "--messages",
			description = "Messages of the one sender; 0 leaves this part out. Default: ${DEFAULT-VALUE}")
	long messages = 1_000_000;

	@Option(names = "--window", description = "Largest number of them without their RECEIPT. Default: ${DEFAULT-VALUE}")
	int window = 256;

	@Option(names = "--pairs",
			description = "Senders, each with a separate receiver; 0 leaves this part out. Default: ${DEFAULT-VALUE}")
	int pairs = 200;

	@Option(names = "--pair-window",
			description = "Largest number of messages of each sender without their RECEIPT. Default: ${DEFAULT-VALUE}")
	int pairWindow = 8;

	@Option(names = "--duration", converter = DurationConverter.class,
			description = "How long the pairs send. Default: 60s")
	Duration duration = Duration.ofSeconds(60);

	@Option(names = "--settle", converter = DurationConverter.class,
			description = "How long to wait for a step without progress. Default: 60s")
	Duration settle = Duration.ofSeconds(60);

	private final List<PipelineRun> runs = new ArrayList<>();

	/**
	 * Pairs of a sender and a receiver, each pair in a separate room.
	 *
	 * @param messages of each sender; 0 for as many as possible within the duration
	 * @param duration the longest time to send
	 * @param window the largest number of messages of one sender that wait for their
	 * RECEIPT
	 * @param settle the longest wait at the end for a step without progress
	 */
	record Plan(String title, int pairs, long messages, Duration duration, int window, Duration settle) {
	}

	@Override
	protected List<Plan> cases() {
		require(this.messages >= 0 && this.messages <= Integer.MAX_VALUE && this.pairs >= 0
				&& this.messages + this.pairs > 0, "--messages and --pairs must not be below 0, nor both 0.");
		require(this.window > 0 && this.pairWindow > 0 && this.duration.isPositive(),
				"--window, --pair-window and --duration must be above 0.");
		List<Plan> plans = new ArrayList<>();
		if (this.messages > 0) {
			// With a fixed number of messages there is no time limit.
			plans.add(new Plan("1 sender, 1 receiver, %,d messages".formatted(this.messages), 1, this.messages,
					this.settle.plusDays(1), this.window, this.settle));
		}
		if (this.pairs > 0) {
			plans.add(new Plan(
					"%,d senders, %,d receivers, %,d s".formatted(this.pairs, this.pairs, this.duration.toSeconds()),
					this.pairs, 0, this.duration, this.pairWindow, this.settle));
		}
		return plans;
	}

	@Override
	protected String name(Plan plan) {
		return (plan.messages() > 0) ? "one sender" : "pairs";
	}

	@Override
	protected Duration expected() {
		return Duration.ofSeconds(120 + this.messages / MESSAGES_PER_SECOND)
			.plus(this.duration.multipliedBy(2))
			.dividedBy(2);
	}

	@Override
	protected void run(Plan plan, Resources open) {
		LocalServer server = open.add(LocalServer.start(Checkout.chatServer(), List.of(), SETTINGS));
		URI metrics = server.managementUrl().resolve("/actuator/prometheus");
		PairTraffic traffic = open.add(new PairTraffic(server.url(), metrics, plan));
		ProcessUsage usage = open.add(ProcessUsage.of(server.pid()));
		JvmPeaks peaks = open.add(new JvmPeaks(metrics));
		PairResult result = traffic.run();
		this.runs.add(new PipelineRun(plan, result, usage.between(result.from(), result.to()), peaks.get()));
	}

	@Override
	protected Findings findings() {
		return new PipelineReport(this.runs).findings();
	}

}
