package io.parley.system;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CrashCountsTests {

	@Test
	void classifiesTheOutcomeOfEachMessage() {
		Ledger ledger = new Ledger();
		for (int number = 0; number < 5; number++) {
			ledger.attempt(new TestMessage("room", "user", number));
		}
		List.of(0, 1, 2).forEach((number) -> ledger.acknowledge(new TestMessage("room", "user", number)));
		List<String> stored = List.of("user-0", "user-0", "user-1", "user-3", "stranger-0");
		assertThat(CrashCounts.of(ledger, stored)).isEqualTo(new CrashCounts(5, 3, 4, 1, 1, 2, 1));
	}

}
