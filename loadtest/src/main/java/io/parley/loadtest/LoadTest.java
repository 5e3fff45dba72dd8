package io.parley.loadtest;

import java.util.concurrent.Callable;

import io.parley.fakefcm.FakeFcmCommand;
import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.study.contention.ContentionCommand;
import io.parley.loadtest.study.contention.JoinServerCommand;
import io.parley.loadtest.study.pooling.PoolingCommand;
import io.parley.loadtest.study.transports.ServerCommand;
import io.parley.loadtest.study.transports.TransportsCommand;
import io.parley.loadtest.study.modes.ModesCommand;
import io.parley.loadtest.study.pipeline.PipelineCommand;
import io.parley.loadtest.study.separation.SeparationCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command line of the load kit. The exit code is 0 when a run held all that was
 * asked, 1 when it failed or could not start, 2 when the arguments are wrong.
 */
@Command(name = "./chat loadtest", description = "Measures a running server and checks every delivery.",
		mixinStandardHelpOptions = true,
		subcommands = { IdleCommand.class, LedgerCommand.class, PushCommand.class, FakeFcmCommand.class,
				TransportsCommand.class, ServerCommand.class, ContentionCommand.class, JoinServerCommand.class,
				PoolingCommand.class },
				ModesCommand.class, SeparationCommand.class, PipelineCommand.class },
		footer = "  baseline  Starts the chat of Spring's tutorials on --port (8080), to be measured by idle --plain.")
public final class LoadTest implements Callable<Integer> {

	/** Runs one command and ends the JVM with its exit code. */
	public static void main(String[] args) {
		System.exit(commandLine().execute(args));
	}

	static CommandLine commandLine() {
		CommandLine commandLine = new CommandLine(new LoadTest()).setCaseInsensitiveEnumValuesAllowed(true);
		commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
			if (!(failure instanceof RefusedException)) {
				throw failure;
			}
			command.getErr().println("loadtest: " + failure.getMessage());
			return CommandLine.ExitCode.SOFTWARE;
		});
		return commandLine;
	}

	@Override
	public Integer call() {
		CommandLine.usage(this, System.err);
		return CommandLine.ExitCode.USAGE;
	}

}
