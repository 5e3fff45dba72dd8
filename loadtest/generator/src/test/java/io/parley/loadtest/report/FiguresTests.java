package io.parley.loadtest.report;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class FiguresTests {

	@ParameterizedTest
	@CsvSource({ "0, 0", "19000, '19,000'", "40012.25, '40,012'", "694.125, 694.1", "9.25, 9.25", "0.0625, 0.063",
			"0.0000123, 1.2e-05", "-3.5, -3.50", "NaN, –" })
	void hasEnoughDigits(double value, String text) {
		assertThat(Figures.text(value)).isEqualTo(text);
	}

	@Test
	void givesAColumnTheSameDigits() {
		assertThat(Figures.column(List.of(9.25, 694.125, 46.0, ""))).containsExactly("9.3", "694.1", "46.0", "");
		assertThat(Figures.column(List.of(9.0, 46.0))).containsExactly("9", "46");
		assertThat(Figures.column(List.of(0.0213, 5120.4))).as("what is small stays visible")
			.containsExactly("0.021", "5,120");
	}

	@ParameterizedTest
	@ValueSource(strings = { "9", "-1.5", "19,000", "26 %", "7.13 ms", "40,012 1/s", "+30.0 %", "12 MiB" })
	void standOnTheRight(String cell) {
		assertThat(Figures.isFigure(cell)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "passed", "heap exhausted", "2 of 3", "9 lost, 1 doubled" })
	void areNotWords(String cell) {
		assertThat(Figures.isFigure(cell)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "PT61.5S, 61.50 s", "PT21M5S, 21 min 5 s", "PT2H3M4S, 2 h 3 min" })
	void saysHowLongItTook(Duration took, String text) {
		assertThat(Figures.text(took)).isEqualTo(text);
	}

}
