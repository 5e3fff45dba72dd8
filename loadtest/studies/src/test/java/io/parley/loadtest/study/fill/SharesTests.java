package io.parley.loadtest.study.fill;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SharesTests {

	@Test
	void addUpToAllMessages() {
		for (long messages : new long[] { 1, 7, 20_000, 10_000_000 }) {
			List<Long> shares = Shares.of(messages, Collections.nCopies(333, 5), 1);
			assertThat(shares.stream().mapToLong(Long::longValue).sum()).isEqualTo(messages);
			assertThat(shares).allMatch((share) -> share >= 0);
		}
	}

	@Test
	void giveMostMessagesToAFewRooms() {
		List<Long> shares = Shares.of(1_000_000, Collections.nCopies(1000, 5), 1)
			.stream()
			.sorted(Comparator.reverseOrder())
			.toList();
		assertThat(shares.stream().limit(50).mapToLong(Long::longValue).sum()).isGreaterThan(500_000);
		assertThat(shares.getLast()).as("no room is empty").isPositive();
	}

	@Test
	void giveNothingToRoomsWithoutMembers() {
		assertThat(Shares.of(100, List.of(0, 3), 1)).containsExactly(0L, 100L);
	}

}
