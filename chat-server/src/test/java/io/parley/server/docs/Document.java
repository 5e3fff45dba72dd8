package io.parley.server.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param file the absolute path of the page
 */
record Document(Path file, List<String> lines) {

	/** The root folder of the repository. Tests run in the folder of their module. */
	static final Path ROOT = Path.of("").toAbsolutePath().getParent();

	private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(?:#[^)]*)?\\)");

	static Document read(String file) {
		Path path = ROOT.resolve(file);
		return new Document(path, text(path).lines().toList());
	}

	static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the rows of all tables, each as a list of its cells without code marks. */
	Stream<List<String>> rows() {
		return this.lines.stream()
			.filter((line) -> line.startsWith("| "))
			.map((line) -> Arrays.stream(line.substring(1).split("(?<!\\\\)\\|"))
				.map((cell) -> cell.strip().replaceAll("^`([^`]*)`$", "$1"))
				.toList());
	}

	/** Returns the lines between a heading and the next heading of the same level. */
	Document section(String heading) {
		int from = this.lines.indexOf(heading) + 1;
		if (from == 0) {
			throw new IllegalArgumentException(this.file + " has no heading '" + heading + "'");
		}
		String next = heading.substring(0, heading.indexOf(' ') + 1);
		int to = from;
		while (to < this.lines.size() && !this.lines.get(to).startsWith(next)) {
			to++;
		}
		return new Document(this.file, this.lines.subList(from, to));
	}

	/** Returns the repository files that this page links to. */
	Stream<Path> linkedFiles() {
		return this.lines.stream()
			.flatMap((line) -> LINK.matcher(line).results())
			.map((link) -> link.group(1))
			.filter((target) -> !target.contains("://"))
			.map((target) -> this.file.resolveSibling(target).normalize());
	}

}
