package io.parley.loadtest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Groups the commands in the help text by purpose.
 */
final class CommandGroups {

	private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();

	static {
		GROUPS.put("Sessions: how many, how fast, and what happens to them",
				List.of("connect", "idle", "storm", "resume"));
		GROUPS.put("Real use: many rooms, most of them quiet, and a filled database", List.of("life", "fill"));
		GROUPS.put("Messages: how fast, and is any lost", List.of("pubsub", "reactions", "ledger", "push"));
		GROUPS.put("Faults: does anybody's client lose, double or disorder messages", List.of("faults", "judge"));
		GROUPS.put("Limits: starts its own server, unless --url names one", List.of("capacity"));
		GROUPS.put("Helpers", List.of("fake-fcm"));
	}

	private static final String OTHERS = "Studies: start their own servers";

	private CommandGroups() {
	}

	static void arrange(CommandLine commandLine) {
		commandLine.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroups::commands);
	}

	private static String commands(Help help) {
		Map<String, Help> left = new LinkedHashMap<>(help.subcommands());
		StringBuilder text = new StringBuilder();
		GROUPS.forEach((title, names) -> {
			Map<String, Help> group = new LinkedHashMap<>();
			names.forEach((name) -> {
				Help command = left.remove(name);
				if (command != null) {
					group.put(name, command);
				}
			});
			append(text, help, title, group);
		});
		append(text, help, OTHERS, left);
		return text.toString();
	}

	private static void append(StringBuilder text, Help help, String title, Map<String, Help> commands) {
		if (!commands.isEmpty()) {
			text.append(String.format("%n%s%n", title)).append(help.commandList(commands));
		}
	}

}
