package io.parley.server.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs commands in the root folder of the repository. */
final class Shell {

	private Shell() {
	}

	/** Runs a bash script and returns its output. */
	static String bash(String script) throws IOException, InterruptedException {
		return run(List.of("bash", "-c", script));
	}

	/** Runs a Java source file of the repository with this JDK. */
	static String java(String source, String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), source));
		command.addAll(List.of(arguments));
		return run(command);
	}

	private static String run(List<String> command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).directory(Document.ROOT.toFile())
			.redirectErrorStream(true)
			.start();
		String output;
		try (var stream = process.getInputStream()) {
			output = new String(stream.readAllBytes(), StandardCharsets.UTF_8).strip();
		}
		if (process.waitFor() != 0) {
			throw new IOException(command + " failed: " + output);
		}
		return output;
	}

}
