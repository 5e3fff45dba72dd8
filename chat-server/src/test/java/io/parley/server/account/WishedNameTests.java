package io.parley.server.account;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** User names made of what an issuer calls a user. */
class WishedNameTests {

	@ParameterizedTest
	@CsvSource({ "anna,anna", "Anna.B_c-9,Anna.B_c-9", "José Müller,Jose-Muller", "anna@example.org,anna-example.org",
			"ann\u202Eab,ann-ab", "../../etc,etc", "---,user", "ＡＢＣ,ABC" })
	void keepWhatIsValid(String wish, String name) {
		assertThat(new WishedName(wish).candidate(0)).isEqualTo(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "李雷", "\u0000", "\ud800", "😀😀" })
	void areNeverEmpty(String wish) {
		assertThat(new WishedName(wish).candidate(0)).isEqualTo("user");
		assertThat(new WishedName(null).candidate(0)).isEqualTo("user");
	}

	@Test
	void areValidHoweverOftenTheyAreTaken() {
		for (String wish : new String[] { "x".repeat(300), "anna", "é".repeat(1_000_000), "-".repeat(40) + "a" }) {
			WishedName name = new WishedName(wish);
			assertThat(name.candidate(1)).endsWith("-2");
			for (int attempt = 0; attempt < 50; attempt++) {
				assertThat(name.candidate(attempt)).matches(AuthController.NAME);
			}
			assertThat(name.candidate(20)).isNotEqualTo(name.candidate(21));
		}
	}

}
