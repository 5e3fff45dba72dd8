package io.parley.loadtest.cli;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

import picocli.CommandLine.Model.CommandSpec;

/**
 * Formats the command line of a run for its report.
 */
public final class Invocation {

	private static final Set<String> SECRETS = Set.of("--passcode", "--password", "--relay-login");

	/** The folder of the report is not needed to repeat a run. */
	private static final String FOLDER = "--report";

	private Invocation() {
	}

	/**
	 * Returns the command line that repeats a run, without its secrets and the folder of
	 * its report.
	 */
	public static String repeating(CommandSpec command) {
		List<String> words = new ArrayList<>(List.of(command.root().name()));
		Iterator<String> arguments = command.root().commandLine().getParseResult().originalArgs().iterator();
		while (arguments.hasNext()) {
			String argument = arguments.next();
			String name = argument.split("=", 2)[0];
			if (!SECRETS.contains(name) && !FOLDER.equals(name)) {
				words.add(argument);
				continue;
			}
			boolean withValue = !argument.equals(name);
			if (!withValue && arguments.hasNext()) {
				arguments.next();
			}
			if (SECRETS.contains(name)) {
				words.add(withValue ? name + "=..." : name + " ...");
			}
		}
		return String.join(" ", words);
	}

}
