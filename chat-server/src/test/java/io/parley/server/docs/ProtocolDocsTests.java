package io.parley.server.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.parley.server.error.ErrorCode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProtocolDocsTests {

	private static final Document DOCUMENT = Document.read("docs/protocol.md");

	private static final List<Path> PROTOCOL_TESTS = Stream
		.of("conformance/src/test/java/io/parley/conformance", "chat-server/src/test/java/io/parley/server/account")
		.map(Document.ROOT::resolve)
		.toList();

	@Test
	void listsExactlyTheErrorCodesAndTheirStatus() {
		Map<String, String> documented = DOCUMENT.section("## Errors")
			.rows()
			.filter((row) -> !row.getFirst().equals("code"))
			.collect(Collectors.toMap((row) -> row.getFirst(), (row) -> row.get(1)));
		assertThat(documented).isEqualTo(Arrays.stream(ErrorCode.values())
			.collect(Collectors.toMap(ErrorCode::code, (errorCode) -> String.valueOf(errorCode.status().value()))));
	}

	/** Each documented error code must occur in a protocol test. */
	@Test
	void listsOnlyCodesThatAProtocolTestExpects() throws IOException {
		StringBuilder tests = new StringBuilder();
		for (Path folder : PROTOCOL_TESTS) {
			try (Stream<Path> files = Files.list(folder)) {
				files.filter(Files::isRegularFile).map(Document::text).forEach(tests::append);
			}
		}
		assertThat(ErrorCode.values()).allSatisfy((errorCode) -> assertThat(tests.toString())
			.containsPattern("\\b" + Pattern.quote(errorCode.code()) + "\\b"));
	}

	@Test
	void linksToFilesThatExist() {
		assertThat(DOCUMENT.linkedFiles()).isNotEmpty().allSatisfy((file) -> assertThat(file).exists());
	}

}
