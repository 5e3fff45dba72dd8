package io.parley.loadtest.study.separation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.parley.loadtest.cli.DurationConverter;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.idle.TrialRunner.Crowd;
import io.parley.loadtest.idle.TrialRunner.Load;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.LoadOptions;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.StudyCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest separation}: compares storage and pushes by workers behind the
 * log with both on the path of a message.
 */
@Command(name = "separation",
		description = "Sends the same messages to two servers: one that stores each message and calls FCM for each"
				+ " offline member before it forwards it, and Parley, where workers do both behind the log. FCM is the"
				+ " kit's fake.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class SeparationCommand extends StudyCommand<Design> {

	private static final Duration PUSH_TIMEOUT = Duration.ofSeconds(60);

	@Option(names = "--rates", split = ",",
			description = "Messages a second over all rooms, one after the other. Default: 1,2,5,10,20,50,100,200")
	List<Double> rates = List.of(1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0);

	@Option(names = "--online", description = "Members of each room who follow it. Default: ${DEFAULT-VALUE}")
	int online = 10;

	@Option(names = "--away",
			description = "Offline members of each room, with a device each. Default: ${DEFAULT-VALUE}")
	int away = 10;

	@Option(names = "--rooms", description = "Rooms. Default: ${DEFAULT-VALUE}")
	int rooms = 4;

	@Option(names = "--fcm-latency", paramLabel = "MILLIS",
			description = "Latency of FCM for one push. Default: ${DEFAULT-VALUE}")
	long fcmLatency = 100;

	@Option(names = "--warmup", converter = DurationConverter.class,
			description = "Warm-up at the lowest rate before the first measurement. Default: 20s")
	Duration warmup = Duration.ofSeconds(20);

	@Mixin
	final LoadOptions load = new LoadOptions();

	private final SeparationReport results = new SeparationReport(this);

	@Override
	protected List<Design> cases() {
		require(this.online > 0 && this.away >= 0 && this.rooms > 0 && this.fcmLatency >= 0,
				"--online and --rooms must be above 0, --away and --fcm-latency not below.");
		this.rates = this.load.ascending(this.rates);
		return List.of(Design.values());
	}

	@Override
	protected String name(Design design) {
		return design.title;
	}

	@Override
	protected Duration expected() {
		return this.load.hold.plusSeconds(3).multipliedBy(this.rates.size()).plus(this.warmup).plusSeconds(20);
	}

	Crowd crowd() {
		int sessions = this.rooms * this.online;
		return new Crowd(sessions, this.rooms, sessions, this.away);
	}

	int devices() {
		return this.rooms * this.away;
	}

	@Override
	protected void run(Design design, Resources open) {
		DesignServer server = new DesignServer(design, this, open);
		if (this.warmup.isPositive()) {
			server.run(new Load(this.rates.getFirst(), Duration.ZERO, this.warmup, this.load.drain));
		}
		for (double rate : this.rates) {
			Step step = server.measure(this.load.at(rate, Duration.ZERO));
			this.results.add(step);
			if (step.isBehind()) {
				System.out.println("The server does not keep up; higher rates are skipped.");
				return;
			}
		}
		awaitPushes(server);
		this.results.pushed(server.pushes());
	}

	/**
	 * Waits for the pushes of the workers, which follow the messages with a delay.
	 */
	private void awaitPushes(DesignServer server) {
		long end = System.nanoTime() + PUSH_TIMEOUT.toNanos();
		while (server.pushes().distinctTokens() < devices() && System.nanoTime() - end < 0) {
			Interrupt.check();
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
		}
	}

	@Override
	protected Findings findings() {
		return this.results.findings();
	}

}
