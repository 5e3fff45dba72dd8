package io.parley.server.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureDocsTests {

	private static final Document DOCUMENT = Document.read("docs/architecture.md");

	private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Tests(?:\\.\\w+)?)`");

	private static final Pattern METHOD = Pattern.compile("void (\\w+)\\(");

	@Test
	void namesTestsThatExist() throws IOException {
		Set<String> named = DOCUMENT.lines()
			.stream()
			.flatMap((line) -> TEST.matcher(line).results())
			.map((name) -> name.group(1))
			.collect(Collectors.toSet());
		assertThat(named).isNotEmpty().isSubsetOf(tests());
	}

	@Test
	void linksToFilesThatExist() {
		assertThat(DOCUMENT.linkedFiles()).isNotEmpty().allSatisfy((file) -> assertThat(file).exists());
	}

	/** The names of all test classes and of their methods. */
	private static Set<String> tests() throws IOException {
		List<Path> files;
		try (Stream<Path> all = Files.walk(Document.ROOT)) {
			files = all.filter((file) -> file.toString().matches(".*/src/test/java/.*Tests\\.java")).toList();
		}
		return files.stream().flatMap((file) -> {
			String name = file.getFileName().toString().replace(".java", "");
			return Stream.concat(Stream.of(name),
					METHOD.matcher(Document.text(file)).results().map((method) -> name + "." + method.group(1)));
		}).collect(Collectors.toSet());
	}

}
