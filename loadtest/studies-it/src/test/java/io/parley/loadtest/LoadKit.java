package io.parley.loadtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.parley.packaged.PackagedServer;

/**
 * The packaged load kit, started like {@code ./chat loadtest}.
 */
final class LoadKit {

	/**
	 * JVM options for short-lived servers, whose start takes most of the time. The class
	 * data archive belongs to the chat-server; logging is off so that the other JVMs do
	 * not warn that it does not match.
	 */
	private static final String JVM = "-XX:TieredStopAtLevel=1 -Xlog:disable "
			+ String.join(" ", PackagedServer.get().options());

	private static final long LONGEST_MINUTES = 5;

	private LoadKit() {
	}

	/**
	 * The result of a run.
	 *
	 * @param output of standard output and error
	 */
	record Run(int exitCode, String output) {
	}

	/**
	 * The checkout, except for the chat-server, which starts faster from its own folder.
	 */
	private static Path home(Path folder) throws IOException {
		Path home = Files.createDirectories(folder.resolve("home"));
		Files.createSymbolicLink(home.resolve("loadtest"), Path.of("..").toRealPath());
		Path server = Files.createDirectories(home.resolve("chat-server"));
		Files.createSymbolicLink(server.resolve("target"), PackagedServer.get().folder());
		return home;
	}

	/**
	 * Runs one command to its end.
	 */
	static Run run(Path folder, String... arguments) throws IOException, InterruptedException {
		Path home = home(folder);
		Path output = folder.resolve("output.txt");
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-Dparley.home=" + home, "-jar",
						home.resolve("loadtest/studies/target/loadtest-studies.jar").toString()));
		command.addAll(List.of(arguments));
		ProcessBuilder kit = new ProcessBuilder(command).directory(folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile());
		kit.environment().put("JAVA_TOOL_OPTIONS", JVM);
		Process process = kit.start();
		try {
			if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
				throw new AssertionError("It does not end: " + Files.readString(output));
			}
			return new Run(process.exitValue(), Files.readString(output));
		}
		finally {
			process.destroy();
			process.waitFor();
		}
	}

}
