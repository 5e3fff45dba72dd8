package io.parley.loadtest.measure;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PeakRateTests {

	private final PeakRate rate = new PeakRate();

	@Test
	void returnsTheNumberOfTheBusiestSecond() {
		assertThat(this.rate.peak()).isZero();
		count(0, 2);
		count(5, 3);
		count(9, 1);
		assertThat(this.rate.peak()).isEqualTo(3);
		this.rate.reset();
		assertThat(this.rate.peak()).isZero();
	}

	private void count(long second, int times) {
		for (int i = 0; i < times; i++) {
			this.rate.count(TimeUnit.SECONDS.toNanos(second) + i);
		}
	}

}
