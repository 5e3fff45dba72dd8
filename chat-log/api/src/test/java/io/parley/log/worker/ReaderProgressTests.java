package io.parley.log.worker;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReaderProgressTests {

	private static final Instant NOW = Instant.parse("2026-11-23T05:00:00Z");

	private final ReaderProgress progress = new ReaderProgress();

	private Duration age(long end, int secondsLater) {
		return this.progress.oldestUnread(end, NOW.plusSeconds(secondsLater));
	}

	@Test
	void measuresTheAgeOfTheRecordInProgress() {
		this.progress.beginAt(5);
		this.progress.handling(NOW.minusSeconds(30));
		assertThat(this.progress.lag(15)).isEqualTo(10);
		assertThat(age(15, 0)).hasSeconds(30);
		assertThat(age(15, 60)).hasSeconds(90);
	}

	@Test
	void estimatesTheAgeOfUnreadRecordsFromTheLastHandledOne() {
		this.progress.beginAt(5);
		this.progress.handling(NOW.minusSeconds(30));
		this.progress.handled(10, NOW.minusSeconds(20), 15);
		assertThat(this.progress.lag(15)).isEqualTo(5);
		assertThat(age(15, 0)).hasSeconds(20);
		this.progress.handled(15, NOW.minusSeconds(1), 15);
		assertThat(age(15, 0)).isZero();
	}

	@Test
	void measuresTheAgeFromTheFirstCheckWhenItReadsNothing() {
		this.progress.beginAt(5);
		this.progress.handled(10, NOW.minusSeconds(3600), 10);
		assertThat(age(10, 0)).isZero();
		assertThat(age(12, 10)).isZero();
		assertThat(age(13, 25)).hasSeconds(15);
		this.progress.beginAt(10);
		assertThat(age(13, 30)).hasSeconds(20);
	}

	@Test
	void hasNoLagWhileItIsOnStandby() {
		assertThat(this.progress.lag(15)).isZero();
		this.progress.beginAt(5);
		this.progress.standBy();
		assertThat(this.progress.lag(15)).isZero();
		assertThat(age(15, 0)).isZero();
	}

	@Test
	void hasNoNegativeAge() {
		this.progress.beginAt(5);
		this.progress.handling(NOW.plusSeconds(5));
		assertThat(age(6, 0)).isZero();
	}

}
