package io.parley.loadtest.study.contention;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.study.Study;
import io.parley.loadtest.study.StudyCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest contention}: many users join a room with few places at once.
 */
@Command(name = "contention",
		description = "Many users join a room with few places at once, in five ways and in Parley's own.",
		mixinStandardHelpOptions = true, showDefaultValues = false,
		footer = "An answer that the room is full is not an error. Errors of SERIALIZABLE are its result and do not"
				+ " fail the run.")
public final class ContentionCommand extends StudyCommand {

	@Mixin
	private final ContentionOptions options = new ContentionOptions();

	@Override
	protected Study study() {
		if (this.options.users < 1 || this.options.places < 1 || this.options.dropped < 0
				|| this.options.runs <= this.options.dropped) {
			throw new RefusedException("--users and --places must be above 0, and --runs above --dropped.");
		}
		ContentionStudy study = new ContentionStudy(this.options);
		return new Study(study::run, study::findings);
	}

}
