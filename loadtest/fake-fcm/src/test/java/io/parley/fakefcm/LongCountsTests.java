package io.parley.fakefcm;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

class LongCountsTests {

	@Test
	void countsEachStringWhileItGrows() {
		LongCounts counts = new LongCounts();
		for (int round = 1; round <= 2; round++) {
			for (int index = 0; index < 100_000; index++) {
				assertThat(counts.add("token-" + index)).isEqualTo(round);
			}
		}
		assertThat(counts.size()).isEqualTo(100_000);
		assertThat(counts.count("token-99999")).isEqualTo(2);
		assertThat(counts.count("other")).isZero();
		assertThat(counts.isComplete()).isTrue();
	}

	@Test
	void saysWhenItIsFullAndGoesOnCountingWhatItHas() {
		LongCounts counts = new LongCounts(1024);
		for (int index = 0; index < 2000; index++) {
			counts.add("token-" + index);
		}
		assertThat(counts.size()).isEqualTo(768);
		assertThat(counts.isComplete()).isFalse();
		assertThat(counts.add("token-0")).isEqualTo(2);
	}

	@Test
	void theLedgerKeepsTheLastTenThousandRequests() {
		Ledger ledger = new Ledger();
		for (int index = 0; index < 10_001; index++) {
			ledger.request(request("t" + index));
		}
		assertThat(ledger.kept()).hasSize(10_000);
		assertThat(ledger.kept().getFirst().target()).isEqualTo("t1");
		assertThat(ledger.requests("t0")).isOne();
	}

	private static FcmRequest request(String target) {
		return new FcmRequest(Instant.EPOCH, target, "token", JsonNodeFactory.instance.objectNode(), false, "HTTP/2.0",
				"c");
	}

}
