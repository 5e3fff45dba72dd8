package io.parley.loadtest.study.transports;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.study.Study;
import io.parley.loadtest.study.StudyCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest transports}: compares Parley with sockets, RMI and JMS.
 */
@Command(name = "transports",
		description = "Compares plain socket, RMI, JMS and the modes of Parley: transfer, capacity, broadcast, echo, size.",
		mixinStandardHelpOptions = true, showDefaultValues = false,
		footer = "The sizes are those of a study of 2004, whose figures are shown for comparison. Only a row of Parley"
				+ " can fail the run.")
public final class TransportsCommand extends StudyCommand {

	@Mixin
	private final TransportsOptions options = new TransportsOptions();

	@Override
	protected Study study() {
		if (this.options.scale <= 0 || this.options.scale > 1 || !this.options.cellLimit.isPositive()) {
			throw new RefusedException("--scale must be above 0 and at most 1, and --cell-limit above 0s.");
		}
		TransportsStudy study = new TransportsStudy(this.options);
		return new Study(study::run, study::findings);
	}

}
