package io.parley.loadtest.study.modes;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.cli.Span;
import io.parley.loadtest.idle.Trials.Crowd;
import io.parley.loadtest.idle.Trials.Load;
import picocli.CommandLine.Option;

/**
 * The options of {@code modes}.
 */
final class ModesOptions {

	private static final int SESSIONS_PER_USER = 10;

	@Option(names = "--sessions", description = "Sessions of each mode. Default: ${DEFAULT-VALUE}")
	int sessions = 1000;

	@Option(names = "--rooms", description = "Rooms that they spread over. Default: ${DEFAULT-VALUE}")
	int rooms = 10;

	@Option(names = "--rates", split = ",", description = "Messages a second, one after the other. Default: 100,400")
	List<Double> rates = List.of(100.0, 400.0);

	@Option(names = "--warmup", converter = Span.class,
			description = "How long to send before each rate is measured. Default: 20s")
	Duration warmup = Duration.ofSeconds(20);

	@Option(names = "--hold", converter = Span.class, description = "How long to measure each rate. Default: 20s")
	Duration hold = Duration.ofSeconds(20);

	@Option(names = "--drain", converter = Span.class,
			description = "How long to wait for missing deliveries. Default: 30s")
	Duration drain = Duration.ofSeconds(30);

	@Option(names = "--only", split = ",",
			description = "Modes, or prefixes of their names, such as bus,simple,relay/artemis. Default: all")
	List<String> only = List.of();

	@Option(names = "--ceiling",
			description = "After that double the rate until the 99th percentile is above 1 s or not all is delivered.")
	boolean ceiling;

	/**
	 * Checks the options and sorts the rates.
	 */
	void check() {
		if (this.sessions < 1 || this.rooms < 1 || this.rooms > this.sessions) {
			throw new RefusedException("--sessions and --rooms must be above 0, and --rooms not above --sessions.");
		}
		if (this.rates.isEmpty() || this.rates.stream().anyMatch((rate) -> rate <= 0) || !this.hold.isPositive()) {
			throw new RefusedException("--rates and --hold must be above 0.");
		}
		this.rates = this.rates.stream().sorted().toList();
	}

	Crowd crowd() {
		return new Crowd(this.sessions, this.rooms,
				Math.max(this.rooms, Math.ceilDiv(this.sessions, SESSIONS_PER_USER)), 0);
	}

	Load load(double rate) {
		return new Load(rate, this.warmup, this.hold, this.drain);
	}

	/**
	 * Returns the deliveries per second: each message goes to all sessions of its room.
	 */
	double deliveries(double rate) {
		return rate * this.sessions / this.rooms;
	}

	/**
	 * Returns the approximate duration for one mode.
	 */
	Duration expected() {
		Duration rate = this.warmup.plus(this.hold).plusSeconds(5 + this.sessions / 150);
		int levels = this.rates.size() + (this.ceiling ? 4 : 0);
		return rate.multipliedBy(levels).plusSeconds(25);
	}

}
