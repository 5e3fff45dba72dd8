package io.parley.loadtest.study.transports;

import java.util.concurrent.Callable;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.report.ReportOptions;
import io.parley.loadtest.study.Interruption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./chat loadtest transports}. */
@Command(name = "transports",
		description = "Compares plain socket, RMI, JMS and the modes of Parley: transfer, capacity, broadcast, echo, size.",
		mixinStandardHelpOptions = true, showDefaultValues = false,
		footer = "The sizes are those of a study of 2004, whose figures are shown beside. Only a row of Parley can fail the run.")
public final class TransportsCommand implements Callable<Integer> {

	@Mixin
	private final TransportsOptions options = new TransportsOptions();

	@Mixin
	private final ReportOptions report = new ReportOptions();

	@Override
	public Integer call() {
		if (this.options.scale <= 0 || this.options.scale > 1 || !this.options.cellLimit.isPositive()) {
			throw new RefusedException("--scale must be above 0 and at most 1, and --cell-limit above 0s.");
		}
		try (Interruption interruption = new Interruption()) {
			return this.report.finish(new TransportsStudy(this.options, interruption).run());
		}
	}

}
