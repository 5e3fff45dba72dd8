package io.parley.loadtest.study.contention;

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
 * {@code ./chat loadtest contention}: many users join a room with few places at once.
 */
@Command(name = "contention",
		description = "Many users join a room with few places at once, in five ways and in Parley's own.",
		mixinStandardHelpOptions = true, showDefaultValues = false,
		footer = "An answer that the room is full is not an error. Errors of SERIALIZABLE are its result and do not"
				+ " fail the run.")
public final class ContentionCommand implements CommandExtension {

	@Mixin
	private final ContentionOptions options = new ContentionOptions();

	@Mixin
	private final ReportOptions report = new ReportOptions();

	@Spec
	private @Nullable CommandSpec spec;

	@Override
	public Integer call() throws Exception {
		if (this.options.users < 1 || this.options.places < 1 || this.options.dropped < 0
				|| this.options.runs <= this.options.dropped) {
			throw new RefusedException("--users and --places must be above 0, and --runs above --dropped.");
		}
		ContentionStudy study = new ContentionStudy(this.options);
		return Study.run(this.spec, this.report, study::run, study::findings);
	}

}
