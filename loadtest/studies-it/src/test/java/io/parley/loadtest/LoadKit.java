package io.parley.loadtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The packaged load kit, as {@code ./chat loadtest} starts it. */
final class LoadKit {

	/** Its servers live shortly: what costs time is their start. */
	private static final String JVM = "-XX:TieredStopAtLevel=1";

	private static final long LONGEST_MINUTES = 5;

	private LoadKit() {
	}

	/**
	 * What a run of it left.
	 *
	 * @param output of standard output and error
	 */
	record Run(int exitCode, String output) {
	}

	/** Runs one command to its end. */
	static Run run(Path folder, String... arguments) throws IOException, InterruptedException {
		Path home = Path.of("..", "..").toAbsolutePath().normalize();
		Path output = folder.resolve("output.txt");
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"--enable-native-access=ALL-UNNAMED", "-Dparley.home=" + home, "-jar",
						home.resolve("loadtest/target/loadtest.jar").toString()));
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
