package io.parley.loadtest.study;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.cli.DurationConverter;
import io.parley.loadtest.idle.TrialRunner.Load;
import picocli.CommandLine.Option;

/**
 * How long a study measures each rate of messages.
 */
public final class LoadOptions {

	@Option(names = "--hold", converter = DurationConverter.class,
			description = "How long to measure each rate. Default: 20s")
	public Duration hold = Duration.ofSeconds(20);

	@Option(names = "--drain", converter = DurationConverter.class,
			description = "How long to wait for missing deliveries. Default: 30s")
	public Duration drain = Duration.ofSeconds(30);

	/**
	 * Checks the rates and returns them in ascending order.
	 * @throws io.parley.loadtest.cli.LoadTestException with the change to make
	 */
	public List<Double> ascending(List<Double> rates) {
		StudyCommand.require(!rates.isEmpty() && rates.stream().allMatch((rate) -> rate > 0) && this.hold.isPositive(),
				"--rates and --hold must be above 0.");
		return rates.stream().sorted().toList();
	}

	/**
	 * Returns the load of a measurement.
	 */
	public Load at(double rate, Duration warmup) {
		return new Load(rate, warmup, this.hold, this.drain);
	}

}
