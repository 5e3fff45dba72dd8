package io.parley.loadtest.capacity;

import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Refusals;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.trial.TrialReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest capacity}: measures how many users or sessions a server holds.
 */
@Command(name = "capacity",
		description = "Measures how many users a server holds. By default the classic test: at each level all"
				+ " users open a WebSocket, CONNECT, read, SUBSCRIBE, read, DISCONNECT and close. With"
				+ " --search: the largest number of sessions that all hold, and the limit above it.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class CapacityCommand extends TrialCommand {

	@Mixin
	private final CapacityOptions options = new CapacityOptions();

	@Override
	protected RunReport run(String run, TrialReport report) {
		this.options.check();
		Refusals.checkOpenFiles(this.options.minSessions(), Generator.maxOpenFiles());
		try (ServerUnderTest server = new ServerUnderTest(this.options)) {
			Refusals.checkTarget(server.target(), this.options.minSessions());
			report.fact("server", server.description()).watch(this.options.serverPid);
			return this.options.search ? new CapacitySearch(this.options, run, server).run(report)
					: new CapacityLevels(this.options, run, server).run(report);
		}
	}

}
