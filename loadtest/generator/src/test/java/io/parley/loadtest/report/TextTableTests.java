package io.parley.loadtest.report;

import java.util.List;

import io.parley.loadtest.report.RunReport.Table;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TextTableTests {

	@Test
	void alignsTextsToTheLeftAndNumbersToTheRight() {
		Table table = new Table("Title", List.of("mode", "asked/s"),
				List.of(List.of("bus", 40_000L), List.of("textbook", 125L), List.of("", 7L)), "A note.");
		assertThat(TextTable.of(table).lines()).containsExactly("  mode      asked/s", "  bus        40,000",
				"  textbook      125", "                  7");
	}

}
