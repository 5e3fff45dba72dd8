package io.parley.server.docs;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

import io.parley.server.refusal.Refusal;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProtocolDocsTests {

	private static final Document DOCUMENT = Document.read("docs/protocol.md");

	@Test
	void listsEachRefusalWithItsStatusAndNoOther() {
		Map<String, String> documented = DOCUMENT.section("## Errors")
			.rows()
			.filter((row) -> !row.getFirst().equals("code"))
			.collect(Collectors.toMap((row) -> row.getFirst(), (row) -> row.get(1)));
		assertThat(documented).isEqualTo(Arrays.stream(Refusal.values())
			.collect(Collectors.toMap(Refusal::code, (refusal) -> String.valueOf(refusal.status().value()))));
	}

	@Test
	void linksToFilesThatExist() {
		assertThat(DOCUMENT.linkedFiles()).isNotEmpty().allSatisfy((file) -> assertThat(file).exists());
	}

}
