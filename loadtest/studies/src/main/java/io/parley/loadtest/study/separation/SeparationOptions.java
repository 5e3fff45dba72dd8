package io.parley.loadtest.study.separation;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.cli.Span;
import io.parley.loadtest.idle.Trials.Crowd;
import io.parley.loadtest.idle.Trials.Load;
import picocli.CommandLine.Option;

/**
 * The options of {@code separation}.
 */
final class SeparationOptions {

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

	@Option(names = "--warmup", converter = Span.class,
			description = "Warm-up at the lowest rate before the first measurement. Default: 20s")
	Duration warmup = Duration.ofSeconds(20);

	@Option(names = "--hold", converter = Span.class, description = "How long to measure each rate. Default: 20s")
	Duration hold = Duration.ofSeconds(20);

	@Option(names = "--drain", converter = Span.class,
			description = "How long to wait for missing deliveries. Default: 30s")
	Duration drain = Duration.ofSeconds(30);

	/**
	 * Checks the options and sorts the rates.
	 */
	void check() {
		if (this.online < 1 || this.away < 0 || this.rooms < 1 || this.fcmLatency < 0) {
			throw new RefusedException("--online and --rooms must be above 0, --away and --fcm-latency not below.");
		}
		if (this.rates.isEmpty() || this.rates.stream().anyMatch((rate) -> rate <= 0) || !this.hold.isPositive()) {
			throw new RefusedException("--rates and --hold must be above 0.");
		}
		this.rates = this.rates.stream().sorted().toList();
	}

	Crowd crowd() {
		int sessions = this.rooms * this.online;
		return new Crowd(sessions, this.rooms, sessions, this.away);
	}

	Load load(double rate) {
		return new Load(rate, Duration.ZERO, this.hold, this.drain);
	}

	Load warmUp() {
		return new Load(this.rates.getFirst(), Duration.ZERO, this.warmup, this.drain);
	}

	/**
	 * Returns the approximate duration for one variant.
	 */
	Duration expected() {
		return this.hold.plusSeconds(3).multipliedBy(this.rates.size()).plus(this.warmup).plusSeconds(20);
	}

}
