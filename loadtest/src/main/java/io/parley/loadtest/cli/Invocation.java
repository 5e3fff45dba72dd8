package io.parley.loadtest.cli;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

import picocli.CommandLine.Model.CommandSpec;

/** How a command was started, as a report may show it. */
public final class Invocation {

	private static final Set<String> SECRETS = Set.of("--passcode", "--password", "--relay-login");

	/** Where a report goes is nothing that somebody else would repeat. */
	private static final String FOLDER = "--report";

	private Invocation() {
	}

	/** What repeats a run, without its secrets and without the folder of its report. */
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
