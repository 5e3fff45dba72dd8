package io.parley.loadtest.study.modes;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.cli.DurationConverter;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.idle.TrialRunner.Crowd;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.LoadOptions;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.StudyCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest modes}: applies the same load to each mode, one after the other.
 */
@Command(name = "modes",
		description = "Starts a server of each broker mode, and the textbook's, one after the other, and applies the"
				+ " same load to each. Also starts the brokers; RabbitMQ needs Docker.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class ModesCommand extends StudyCommand<Mode> {

	private static final int SESSIONS_PER_USER = 10;

	@Option(names = "--sessions", description = "Sessions of each mode. Default: ${DEFAULT-VALUE}")
	int sessions = 1000;

	@Option(names = "--rooms", description = "Rooms that they spread over. Default: ${DEFAULT-VALUE}")
	int rooms = 10;

	@Option(names = "--rates", split = ",", description = "Messages a second, one after the other. Default: 100,400")
	List<Double> rates = List.of(100.0, 400.0);

	@Option(names = "--warmup", converter = DurationConverter.class,
			description = "How long to send before each rate is measured. Default: 20s")
	Duration warmup = Duration.ofSeconds(20);

	@Mixin
	final LoadOptions load = new LoadOptions();

	@Option(names = "--only", split = ",",
			description = "Modes, or prefixes of their names, such as bus,simple,relay/artemis. Default: all")
	List<String> only = List.of();

	@Option(names = "--ceiling",
			description = "After that double the rate until the 99th percentile is above 1 s or not all is delivered.")
	boolean ceiling;

	private final ModesReport results = new ModesReport(this);

	@Override
	protected List<Mode> cases() {
		require(this.sessions > 0 && this.rooms > 0 && this.rooms <= this.sessions,
				"--sessions and --rooms must be above 0, and --rooms not above --sessions.");
		this.rates = this.load.ascending(this.rates);
		return Mode.named(this.only);
	}

	@Override
	protected String name(Mode mode) {
		return mode.name();
	}

	@Override
	protected Duration expected() {
		Duration rate = this.warmup.plus(this.load.hold).plusSeconds(5 + this.sessions / 150);
		return rate.multipliedBy(this.rates.size() + (this.ceiling ? 4 : 0)).plusSeconds(25);
	}

	Crowd crowd() {
		return new Crowd(this.sessions, this.rooms,
				Math.max(this.rooms, Math.ceilDiv(this.sessions, SESSIONS_PER_USER)), 0);
	}

	/**
	 * Returns the deliveries per second: each message goes to all sessions of its room.
	 */
	double deliveries(double rate) {
		return rate * this.sessions / this.rooms;
	}

	@Override
	protected void run(Mode mode, Resources open) {
		try {
			measure(new ModeServer(mode, this, open));
		}
		catch (LoadTestException ex) {
			Interrupt.check();
			System.out.println("Not run: " + ex.getMessage());
			this.results.notRun(mode, ex.getMessage());
		}
	}

	private void measure(ModeServer server) {
		Step good = null;
		Step last = null;
		for (double rate : this.rates) {
			last = server.measure(rate);
			this.results.add(last);
			good = last.isGood() ? last : good;
			if (!last.result().passed()) {
				// The server did not hold the load, so its state is unknown: measure no
				// further rate with it.
				break;
			}
		}
		while (this.ceiling && last != null && last.isGood()) {
			good = last;
			last = server.measure(2 * good.rate());
			this.results.addAbove(last);
		}
		if (last != null && !last.isGood()) {
			this.results.ceiling(good, last);
		}
	}

	@Override
	protected Findings findings() {
		return this.results.findings();
	}

}
