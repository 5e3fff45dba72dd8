package io.parley.loadtest.study.pooling;

import io.parley.loadtest.cli.CommandExtension;
import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.report.ReportOptions;
import io.parley.loadtest.study.Study;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code ./chat loadtest pooling}: compares pooled connections with one connection for
 * each query.
 */
@Command(name = "pooling",
		description = "Reads the history with pooled connections to the database, and with one for each query.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class PoolingCommand implements CommandExtension {

	private static final int LARGEST_PAGE = 200;

	@Mixin
	private final PoolingOptions options = new PoolingOptions();

	@Mixin
	private final ReportOptions report = new ReportOptions();

	@Spec
	private @Nullable CommandSpec spec;

	@Override
	public Integer call() throws Exception {
		if (this.options.users.stream().anyMatch((users) -> users < 1) || this.options.messages < 1
				|| this.options.limit < 1 || this.options.limit > LARGEST_PAGE || !this.options.duration.isPositive()) {
			throw new RefusedException("--users, --messages and --duration must be above 0, and --limit between 1 and "
					+ LARGEST_PAGE + ".");
		}
		PoolingStudy study = new PoolingStudy(this.options);
		return Study.run(this.spec, this.report, study::run, study::findings);
	}

}
