package io.parley.loadtest.study.separation;

import java.util.List;

import io.parley.fakefcm.Counts;
import io.parley.loadtest.idle.IdleResult;
import io.parley.loadtest.study.Results;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SeparationReportTests {

	private final SeparationCommand options = new SeparationCommand();

	private SeparationReport found = new SeparationReport(this.options);

	@BeforeEach
	void ask() {
		this.options.rates = List.of(5.0, 50.0);
		this.found = new SeparationReport(this.options);
	}

	@Test
	void saysUpToWhichRateEachDesignKeepsUp() {
		add(Design.INLINE, 5, Results.good(1100));
		add(Design.INLINE, 50, Results.lossy(100));
		add(Design.LOG, 5, Results.good(9));
		add(Design.LOG, 50, Results.good(8));
		told(40);
		assertThat(this.found.findings().passed()).isTrue();
		assertThat(this.found.findings().verdict()).isEqualTo(
				"separation, inline keeps up with 5 messages/s, log and workers with 50 (not tried higher), 40 of 40"
						+ " devices got a push.");
	}

	@Test
	void failsWhenTheLogLosesSomething() {
		add(Design.LOG, 5, Results.lossy(1));
		told(40);
		assertThat(this.found.findings().passed()).isFalse();
	}

	@Test
	void failsWhenADeviceWasNotTold() {
		add(Design.LOG, 5, Results.good(9));
		told(39);
		assertThat(this.found.findings().passed()).isFalse();
	}

	@Test
	void isBehindAboveTenSeconds() {
		assertThat(new Step(Design.INLINE, 1, 1, Results.good(9_999), 0).isBehind()).isFalse();
		assertThat(new Step(Design.INLINE, 1, 1, Results.good(10_001), 0).isBehind()).isTrue();
		assertThat(new Step(Design.INLINE, 1, 1, Results.lossy(1), 0).isBehind()).isTrue();
	}

	private void add(Design design, double rate, IdleResult result) {
		this.found.add(new Step(design, rate, rate, result, 0));
	}

	private void told(long devices) {
		this.found.pushed(new Counts(devices, devices, devices, 0, 1, 1, 1, true));
	}

}
