package io.parley.server.docs;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Each threat in docs/security.md must name an existing test method. */
class SecurityDocsTests {

	private static final Document DOCUMENT = Document.read("docs/security.md");

	@Test
	void eachThreatHasATest() {
		List<String> threats = DOCUMENT.section("## Threats")
			.lines()
			.stream()
			.filter((line) -> line.startsWith("| ") && !line.startsWith("| threat "))
			.toList();
		assertThat(threats).hasSizeGreaterThan(20)
			.allSatisfy((row) -> assertThat(NamedTests.in(row)).as(row).isNotEmpty())
			.allSatisfy((row) -> assertThat(NamedTests.in(row)).as(row).allMatch((test) -> test.contains(".")));
	}

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
