package io.parley.loadtest.study.pipeline;

import java.time.Duration;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.cli.Span;
import picocli.CommandLine.Option;

/**
 * The options of {@code pipeline}.
 */
final class PipelineOptions {

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

	@Option(names = "--duration", converter = Span.class, description = "How long the pairs send. Default: 60s")
	Duration duration = Duration.ofSeconds(60);

	@Option(names = "--settle", converter = Span.class,
			description = "How long to wait for a step without progress. Default: 60s")
	Duration settle = Duration.ofSeconds(60);

	void check() {
		if (this.messages < 0 || this.messages > Integer.MAX_VALUE || this.pairs < 0
				|| this.messages + this.pairs == 0) {
			throw new RefusedException("--messages and --pairs must not be below 0, nor both 0.");
		}
		if (this.window < 1 || this.pairWindow < 1 || !this.duration.isPositive()) {
			throw new RefusedException("--window, --pair-window and --duration must be above 0.");
		}
	}

}
