package io.parley.server.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.parley.server.error.ErrorCode;
import io.parley.server.testing.AuthorizationTable;
import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/authorization.md shows docs/authorization.tsv. After a change of the file,
 * {@code -Dparley.docs.write=true} writes the page.
 */
class AuthorizationDocsTests {

	private static final String MARK = "<!-- Made from authorization.tsv by AuthorizationDocsTests: do not edit below. -->";

	private final List<Row> rows = AuthorizationTable.read();

	@Test
	void thePageShowsTheTable() throws IOException {
		Document page = Document.read("docs/authorization.md");
		int mark = page.lines().indexOf(MARK);
		assertThat(mark).isPositive();
		List<String> expected = render().lines().toList();
		if (Boolean.getBoolean("parley.docs.write")) {
			Files.writeString(page.file(),
					String.join("\n", page.lines().subList(0, mark + 1)) + "\n" + String.join("\n", expected) + "\n");
			return;
		}
		assertThat(page.lines().subList(mark + 1, page.lines().size()))
			.as("Run this test with -Dparley.docs.write=true to write the page")
			.isEqualTo(expected);
	}

	@Test
	void thePageExplainsEachCaller() {
		List<String> explained = Document.read("docs/authorization.md")
			.section("## Callers")
			.rows()
			.map(List::getFirst)
			.toList();
		assertThat(explained).containsAll(Arrays.stream(Caller.values()).map(Caller::heading).toList());
	}

	@Test
	void theTableHasKnownOutcomesAndEachCallOnce() {
		List<String> codes = Arrays.stream(ErrorCode.values()).map(ErrorCode::code).toList();
		assertThat(this.rows).extracting(Row::toString).doesNotHaveDuplicates();
		assertThat(this.rows).allSatisfy((row) -> assertThat(row.outcomes().values()).as("%s", row)
			.allMatch((outcome) -> codes.contains(outcome) || outcome.matches(row.isFrame() ? "ok" : "2\\d\\d")));
	}

	private String render() {
		StringBuilder text = new StringBuilder("\nThe table has ").append(this.rows.size())
			.append(" calls and ")
			.append(this.rows.size() * Caller.values().length)
			.append(" cells.\n");
		this.rows.stream()
			.collect(Collectors.groupingBy(Row::section, java.util.LinkedHashMap::new, Collectors.toList()))
			.forEach((section, calls) -> render(text, section, calls));
		return text.toString();
	}

	private static void render(StringBuilder text, String section, List<Row> calls) {
		text.append("\n## ").append(section).append("\n\n| call | with |");
		for (Caller caller : Caller.values()) {
			text.append(' ').append(caller.heading()).append(" |");
		}
		text.append("\n|---|---|").append("---|".repeat(Caller.values().length)).append('\n');
		for (Row row : calls) {
			text.append("| `").append(row.method()).append(' ').append(row.endpoint()).append("` | ");
			text.append(row.with().equals("-") ? "" : "`" + row.with().replace("|", "\\|") + "` ").append('|');
			row.outcomes()
				.values()
				.forEach((outcome) -> text
					.append(AuthorizationTable.isRefusal(outcome) ? " " + outcome + " |" : " **" + outcome + "** |"));
			text.append('\n');
		}
	}

}
