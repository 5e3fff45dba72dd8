package io.parley.events;

import java.util.Arrays;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RoomNamesTests {

	@Test
	void haveLettersDigitsUnderscoresAndHyphens() {
		assertThat(RoomNames.isValid("aZ09_-")).isTrue();
		assertThat(RoomNames.isValid("x".repeat(64))).isTrue();
		for (String wrong : new String[] { "", "x".repeat(65), "a.b", "a/b", "ä", "a b", "a\n" }) {
			assertThat(RoomNames.isValid(wrong)).as(wrong).isFalse();
		}
	}

	/**
	 * Verifies CRC-32C by its check value 0xE3069283: a room must never change its
	 * partition.
	 */
	@ParameterizedTest
	@CsvSource({ "123456789, 1024, 643", "123456789, 8, 3", "123456789, 1, 0" })
	void stayInTheirPartition(String room, int partitions, int expected) {
		assertThat(RoomNames.partition(room, partitions)).isEqualTo(expected);
	}

	@Test
	void spreadOverAllPartitions() {
		long[] rooms = new long[8];
		IntStream.range(0, 8_000).forEach((i) -> rooms[RoomNames.partition("room-" + i, 8)]++);
		assertThat(Arrays.stream(rooms).boxed()).allMatch((count) -> count > 800 && count < 1_200);
	}

}
