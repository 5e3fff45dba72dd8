package io.parley.loadtest.check;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SubscriptionCheckTests {

	private final SubscriptionCheck check = new SubscriptionCheck();

	@BeforeEach
	void startAfterTen() {
		this.check.startAfter(10);
	}

	@Test
	void acceptsAnUnbrokenChain() {
		assertThat(this.check.check(15, 10)).isEqualTo(Verdict.IN_ORDER);
		assertThat(this.check.check(16, 15)).isEqualTo(Verdict.IN_ORDER);
	}

	@Test
	void noticesALostMessageAtTheNextOne() {
		assertThat(this.check.check(20, 15)).isEqualTo(Verdict.GAP);
		assertThat(this.check.check(21, 20)).isEqualTo(Verdict.IN_ORDER);
	}

	@Test
	void noticesADoubledMessage() {
		this.check.check(15, 10);
		this.check.check(20, 15);
		assertThat(this.check.check(20, 15)).isEqualTo(Verdict.DUPLICATE);
		assertThat(this.check.check(15, 10)).isEqualTo(Verdict.DUPLICATE);
	}

	@Test
	void tellsALateMessageFromADoubledOne() {
		this.check.check(20, 15);
		assertThat(this.check.check(15, 10)).isEqualTo(Verdict.OUT_OF_ORDER);
		assertThat(this.check.check(15, 10)).isEqualTo(Verdict.DUPLICATE);
		assertThat(this.check.check(12, 10)).as("another one of the same gap").isEqualTo(Verdict.OUT_OF_ORDER);
	}

	@Test
	void noticesAnEventThatClaimsToFollowAnOlderOne() {
		this.check.check(15, 10);
		assertThat(this.check.check(20, 10)).isEqualTo(Verdict.BROKEN_CHAIN);
	}

}
