package io.parley.loadtest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs a command as the console does, captures its output, and deletes its report.
 */
public final class Console implements BeforeEachCallback, AfterEachCallback {

	private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

	private final PrintStream before = System.out;

	private Path reports = Path.of("");

	@Override
	public void beforeEach(ExtensionContext context) throws IOException {
		this.reports = Files.createTempDirectory("reports-");
		System.setOut(new PrintStream(this.printed, true, StandardCharsets.UTF_8));
	}

	/**
	 * Runs the command and returns its exit code.
	 */
	public int run(URI server, String... arguments) {
		Stream<String> common = Stream.of("--url", server.toString(), "--report", this.reports.toString());
		return LoadTest.commandLine().execute(Stream.concat(Stream.of(arguments), common).toArray(String[]::new));
	}

	public static String[] join(String[] fixed, String... more) {
		return Stream.concat(Stream.of(fixed), Stream.of(more)).toArray(String[]::new);
	}

	public String output() {
		return this.printed.toString(StandardCharsets.UTF_8);
	}

	@Override
	public void afterEach(ExtensionContext context) {
		System.setOut(this.before);
		try (Stream<Path> files = Files.walk(this.reports)) {
			files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
