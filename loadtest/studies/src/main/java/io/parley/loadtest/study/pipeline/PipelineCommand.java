package io.parley.loadtest.study.pipeline;

import java.time.Duration;

import io.parley.loadtest.study.Eta;
import io.parley.loadtest.study.Study;
import io.parley.loadtest.study.StudyCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest pipeline}: sends at the maximum rate and accounts for each
 * message.
 */
@Command(name = "pipeline",
		description = "Sends as fast as a server confirms, by one sender and by many pairs, and then accounts for each"
				+ " message: sent, accepted, stored, delivered.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class PipelineCommand extends StudyCommand {

	/**
	 * Estimate used until the run has a measured value.
	 */
	private static final int MESSAGES_PER_SECOND = 8000;

	@Mixin
	private final PipelineOptions options = new PipelineOptions();

	@Override
	protected Study study() {
		this.options.check();
		PipelineFindings found = new PipelineFindings();
		return new Study(() -> run(found), found::get);
	}

	private void run(PipelineFindings found) {
		Duration one = Duration.ofSeconds(60 + this.options.messages / MESSAGES_PER_SECOND);
		Duration pairs = this.options.duration.multipliedBy(2).plusSeconds(60);
		boolean both = this.options.messages > 0 && this.options.pairs > 0;
		Eta eta = new Eta(both ? 2 : 1, one.plus(pairs).dividedBy(2));
		if (this.options.messages > 0) {
			eta.next("one sender");
			found.add(Passage.ofOne(this.options));
		}
		if (this.options.pairs > 0) {
			eta.next("pairs");
			found.add(Passage.ofPairs(this.options));
		}
	}

}
