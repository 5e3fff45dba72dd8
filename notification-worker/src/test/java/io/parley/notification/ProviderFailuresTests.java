package io.parley.notification;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProviderFailuresTests {

	private final ProviderFailures failures = new ProviderFailures();

	@Test
	void increaseTheBackOffOfAFailingProvider() {
		assertThat(this.failures.pause()).isZero();
		this.failures.failed();
		Duration first = this.failures.pause();
		this.failures.failed();
		assertThat(this.failures.pause()).isGreaterThan(first);
		for (int i = 0; i < 100; i++) {
			this.failures.failed();
		}
		assertThat(this.failures.pause()).isEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void areResetByASuccess() {
		this.failures.failed();
		assertThat(this.failures.any()).isTrue();
		this.failures.succeeded();
		assertThat(this.failures.any()).isFalse();
		assertThat(this.failures.pause()).isZero();
	}

}
