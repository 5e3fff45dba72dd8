package io.parley.loadtest;

import java.time.Duration;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;

import io.parley.fakefcm.FakeFcmCommand;
import io.parley.loadtest.capacity.CapacityCommand;
import io.parley.loadtest.cli.CommandExtension;
import io.parley.loadtest.cli.DurationConverter;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.connect.ConnectCommand;
import io.parley.loadtest.faults.FaultsCommand;
import io.parley.loadtest.idle.GeneratorCommand;
import io.parley.loadtest.idle.IdleCommand;
import io.parley.loadtest.judge.JudgeCommand;
import io.parley.loadtest.ledger.LedgerCommand;
import io.parley.loadtest.ledger.ResumeCommand;
import io.parley.loadtest.life.LifeCommand;
import io.parley.loadtest.pubsub.PubsubCommand;
import io.parley.loadtest.push.PushCommand;
import io.parley.loadtest.reactions.ReactionsCommand;
import io.parley.loadtest.storm.StormCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command line of the load kit. The exit code is 0 when a run met all its goals, 1
 * when it failed or could not start, 2 when the arguments are wrong, 130 when it was
 * interrupted.
 */
@Command(name = "./chat loadtest", header = "Measures a chat server and checks every delivery.",
		description = { "",
				"A run signs up its own users, prints its progress, and ends with a table and a report"
						+ " (HTML and JSON, --report). Latency counts from the intended start of a step, not from"
						+ " its actual start.",
				"For the options of a command: \"./chat loadtest idle --help\"." },
		mixinStandardHelpOptions = true, commandListHeading = "", optionListHeading = "%n",
		subcommands = { ConnectCommand.class, IdleCommand.class, StormCommand.class, ResumeCommand.class,
				LifeCommand.class, PubsubCommand.class, ReactionsCommand.class, LedgerCommand.class, PushCommand.class,
				CapacityCommand.class, FaultsCommand.class, JudgeCommand.class, FakeFcmCommand.class,
				GeneratorCommand.class },
		footer = { "  baseline  The chat of Spring's tutorials on --port, for idle --plain.",
				"  jmeter    The classic plan of JMeter, without an installation of it; see jmeter --help.", "",
				"Examples", "  ./chat run -- --chat.broker.mode=bus        (in another terminal)",
				"  ./chat loadtest pubsub --rooms 10 --members 100 --steps 10,50,200",
				"  ./chat loadtest capacity --search --from 1000 --hold 60s", "", "Exit code",
				"  0    nothing was lost, doubled, out of order or refused, and each goal was met",
				"  1    otherwise, or when the run could not start; the message says what to do",
				"  2    the arguments are wrong", "  130  Ctrl-C: the report shows the part that ran" })
public final class LoadTest implements Callable<Integer> {

	@Spec
	private @Nullable CommandSpec spec;

	/** Runs one command and ends the JVM with its exit code. */
	public static void main(String[] args) {
		Interrupt.enable();
		int code = commandLine().execute(args);
		System.exit(Interrupt.requested() ? Interrupt.EXIT_CODE : code);
	}

	/**
	 * Returns the command line with the commands of all modules on the class path.
	 */
	public static CommandLine commandLine() {
		CommandLine commandLine = new CommandLine(new LoadTest());
		ServiceLoader.load(CommandExtension.class).forEach(commandLine::addSubcommand);
		commandLine.setCaseInsensitiveEnumValuesAllowed(true)
			.registerConverter(Duration.class, new DurationConverter());
		CommandGroups.arrange(commandLine);
		commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
			if (!(failure instanceof LoadTestException)) {
				throw failure;
			}
			command.getErr().println("loadtest: " + failure.getMessage());
			return CommandLine.ExitCode.SOFTWARE;
		});
		return commandLine;
	}

	@Override
	public Integer call() {
		Objects.requireNonNull(this.spec).commandLine().usage(System.err);
		return CommandLine.ExitCode.USAGE;
	}

}
