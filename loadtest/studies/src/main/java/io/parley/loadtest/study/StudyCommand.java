package io.parley.loadtest.study;

import java.util.Objects;

import io.parley.loadtest.cli.CommandExtension;
import io.parley.loadtest.report.ReportOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that runs a study and ends with its report.
 */
public abstract class StudyCommand implements CommandExtension {

	@Mixin
	private final ReportOptions report = new ReportOptions();

	@Spec
	private @Nullable CommandSpec spec;

	/**
	 * Checks the options and returns the study.
	 * @throws io.parley.loadtest.cli.RefusedException with the change to make
	 */
	protected abstract Study study();

	@Override
	public final Integer call() throws Exception {
		return study().run(Objects.requireNonNull(this.spec, "picocli sets it"), this.report);
	}

}
