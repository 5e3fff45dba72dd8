package io.parley.loadtest;

import java.util.concurrent.Callable;

import io.parley.fakefcm.FakeFcmCommand;
import io.parley.loadtest.cli.RefusedException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command line of the load kit. The exit code is 0 when a run held all that was
 * asked, 1 when it failed or could not start, 2 when the arguments are wrong.
 */
@Command(name = "./chat loadtest", description = "Measures a running server and checks every delivery.",
		mixinStandardHelpOptions = true,
		subcommands = { ConnectCommand.class, IdleCommand.class, PubsubCommand.class, StormCommand.class,
				CapacityCommand.class, ResumeCommand.class, LedgerCommand.class, PushCommand.class,
				FakeFcmCommand.class },
		footer = "  baseline  Starts the chat of Spring's tutorials on --port (8080), to be measured by idle --plain.")
public final class LoadTest implements Callable<Integer> {

	/** Runs one command and ends the JVM with its exit code. */
	public static void main(String[] args) {
		Interrupt.enable();
		int code = commandLine().execute(args);
		System.exit(Interrupt.requested() ? Interrupt.EXIT_CODE : code);
	}

	static CommandLine commandLine() {
		CommandLine commandLine = new CommandLine(new LoadTest());
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
