package io.parley.server.docs;

import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureDocsTests {

	private static final Document DOCUMENT = Document.read("docs/architecture.md");

	@Test
	void namesTestsThatExist() throws IOException {
		Set<String> named = DOCUMENT.lines().stream().flatMap(NamedTests::in).collect(Collectors.toSet());
		assertThat(named).isNotEmpty().isSubsetOf(NamedTests.all());
	}

	@Test
	void linksToFilesThatExist() {
		assertThat(DOCUMENT.linkedFiles()).isNotEmpty().allSatisfy((file) -> assertThat(file).exists());
	}

}
