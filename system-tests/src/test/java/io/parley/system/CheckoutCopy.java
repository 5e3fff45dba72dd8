package io.parley.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A directory with the entry script, as after a build: it has the scripts and the
 * packaged jars of this repository, and sources that are older than the jars. So the
 * script builds nothing, and its data is not that of the developer.
 */
final class CheckoutCopy {

	private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

	private static final FileTime LONG_AGO = FileTime.fromMillis(0);

	private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");

	private final Path directory;

	private CheckoutCopy(Path directory) {
		this.directory = directory;
	}

	static CheckoutCopy in(Path directory) throws IOException {
		CheckoutCopy copy = new CheckoutCopy(directory);
		Files.copy(ROOT.resolve("chat"), directory.resolve("chat"));
		Files.createSymbolicLink(directory.resolve("scripts"), ROOT.resolve("scripts"));
		Files.copy(ROOT.resolve(".env"), directory.resolve(".env"));
		copy.addSources(Path.of(""));
		for (MatchResult module : MODULE.matcher(Files.readString(ROOT.resolve("pom.xml"))).results().toList()) {
			copy.addModule(Path.of(module.group(1)));
		}
		return copy;
	}

	/** Starts the entry script. */
	ProcessBuilder command(List<String> arguments) {
		ProcessBuilder command = new ProcessBuilder("bash", "chat").directory(this.directory.toFile())
			.redirectErrorStream(true);
		command.command().addAll(arguments);
		command.environment().put("JAVA_HOME", System.getProperty("java.home"));
		return command;
	}

	private void addModule(Path module) throws IOException {
		addSources(module);
		Path target = ROOT.resolve(module).resolve("target");
		Path link = this.directory.resolve(module).resolve("target");
		if (Files.isDirectory(target)) {
			Files.createSymbolicLink(link, target);
		}
	}

	private void addSources(Path module) throws IOException {
		Path pom = Files.createDirectories(this.directory.resolve(module)).resolve("pom.xml");
		if (!Files.exists(pom)) {
			Files.createFile(pom);
			Files.setLastModifiedTime(pom, LONG_AGO);
		}
	}

}
