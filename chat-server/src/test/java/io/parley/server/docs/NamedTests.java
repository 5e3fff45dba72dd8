package io.parley.server.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds test names such as {@code RoomTests} or {@code RoomTests.aMemberLeaves}. */
final class NamedTests {

	private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Tests(?:\\.\\w+)?)`");

	private static final Pattern METHOD = Pattern.compile("(?:void|Stream<Dynamic\\w+>) (\\w+)\\(");

	private static final Set<String> NOT_SOURCES = Set.of(".git", "data", "node_modules", "target");

	private NamedTests() {
	}

	/** Returns the test names in a text. */
	static Stream<String> in(String text) {
		return TEST.matcher(text).results().map((name) -> name.group(1));
	}

	/** Returns all test classes of the repository and their methods. */
	static Set<String> all() throws IOException {
		List<Path> files = new ArrayList<>();
		Files.walkFileTree(Document.ROOT, new SimpleFileVisitor<>() {

			/** Skips what a build that runs at the same time writes and deletes. */
			@Override
			public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
				boolean skipped = !directory.equals(Document.ROOT)
						&& NOT_SOURCES.contains(directory.getFileName().toString());
				return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
				if (file.toString().matches(".*/src/test/java/.*Tests\\.java")) {
					files.add(file);
				}
				return FileVisitResult.CONTINUE;
			}

		});
		return files.stream().flatMap((file) -> {
			String name = file.getFileName().toString().replace(".java", "");
			return Stream.concat(Stream.of(name),
					METHOD.matcher(Document.text(file)).results().map((method) -> name + "." + method.group(1)));
		}).collect(Collectors.toSet());
	}

}
