package io.parley.admin;

import java.util.Map;
import java.util.Objects;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;

/**
 * The command line for operators. The exit code is 0 on success, 1 if the server refused
 * or did not answer, 2 if the arguments are wrong. Errors are one sentence on standard
 * error.
 */
@Command(name = "./chat admin", mixinStandardHelpOptions = true,
		description = "Commands for operators of a running server.",
		subcommands = { PushLogCommand.class, RecordFormatCommand.class, ReplayParkedCommand.class, UsersCommand.class,
				RoomsCommand.class, ReadersCommand.class, ParkedCommand.class, AuditCommand.class, ReportsCommand.class,
				BackupCommand.class })
public final class Admin {

	private Admin() {
	}

	/** Runs one command and ends the JVM with its exit code. */
	public static void main(String[] args) {
		System.exit(commandLine(System.getenv()).execute(args));
	}

	/**
	 * Returns the command line.
	 * @param environment the variables that say where the server is and who asks it
	 */
	public static CommandLine commandLine(Map<String, String> environment) {
		CommandLine commandLine = new CommandLine(new Admin(), new Factory(environment));
		// The id of a room may begin with a hyphen.
		Objects.requireNonNull(commandLine.getSubcommands().get("push-log"))
			.setUnmatchedOptionsArePositionalParams(true);
		commandLine.setExecutionExceptionHandler((ex, command, parsed) -> {
			if (!(ex instanceof AdminException)) {
				throw ex;
			}
			command.getErr().println("chat: " + ex.getMessage());
			return CommandLine.ExitCode.SOFTWARE;
		});
		return commandLine;
	}

	/** Gives each command the environment. */
	private record Factory(Map<String, String> environment) implements IFactory {

		@Override
		public <K> K create(Class<K> type) throws Exception {
			if (AdminCommand.class.isAssignableFrom(type)) {
				return type.getDeclaredConstructor(Map.class).newInstance(this.environment);
			}
			return CommandLine.defaultFactory().create(type);
		}

	}

}
