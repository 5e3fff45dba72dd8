package io.parley.notification;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class NamesInTextTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "@anna|anna", "ask @anna, please|anna", "(@anna)|anna", "is it @anna?|anna",
			"It was @anna.|anna", "hi @an-na_2.b!|an-na_2.b", "@bert @anna|anna", "Zeile\u00a0@anna|anna" })
	void findUsernames(String text, String username) {
		assertThat(NamesInText.in(text)).contains(username);
	}

	@ParameterizedTest
	@ValueSource(strings = { "anna", "mail@anna", "a@anna.de", "@ anna", "@annabel", "@@anna" })
	void findNoOthers(String text) {
		assertThat(NamesInText.in(text)).doesNotContain("anna");
	}

}
