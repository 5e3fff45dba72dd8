package io.parley.loadtest.study.pooling;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.study.Study;
import io.parley.loadtest.study.StudyCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest pooling}: compares pooled connections with one connection for
 * each query.
 */
@Command(name = "pooling",
		description = "Reads the history with pooled connections to the database, and with one for each query.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class PoolingCommand extends StudyCommand {

	private static final int LARGEST_PAGE = 200;

	@Mixin
	private final PoolingOptions options = new PoolingOptions();

	@Override
	protected Study study() {
		if (this.options.users.stream().anyMatch((users) -> users < 1) || this.options.messages < 1
				|| this.options.limit < 1 || this.options.limit > LARGEST_PAGE || !this.options.duration.isPositive()) {
			throw new RefusedException("--users, --messages and --duration must be above 0, and --limit between 1 and "
					+ LARGEST_PAGE + ".");
		}
		PoolingStudy study = new PoolingStudy(this.options);
		return new Study(study::run, study::findings);
	}

}
