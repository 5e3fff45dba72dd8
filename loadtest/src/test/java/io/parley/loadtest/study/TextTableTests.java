package io.parley.loadtest.study;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.parley.loadtest.report.RunReport.Table;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TextTableTests {

	@Test
	void alignsTextsToTheLeftAndNumbersToTheRight() {
		ByteArrayOutputStream printed = new ByteArrayOutputStream();
		TextTable.print(
				new Table("Title", List.of("mode", "asked/s"),
						List.of(List.of("bus", 40_000.0), List.of("textbook", 1.254), List.of("", 7L)), "A note."),
				new PrintStream(printed, true, StandardCharsets.UTF_8));
		assertThat(printed.toString(StandardCharsets.UTF_8).lines()).containsExactly("", "Title", "mode      asked/s",
				"bus        40,000", "textbook     1.25", "                7", "A note.");
	}

}
