package io.parley.notification;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests when the next push of a room may be due. */
class PushThrottleTests {

	private static final Instant NOW = Instant.now();

	private final PushThrottle throttle = new PushThrottle(Duration.ofSeconds(5));

	@Test
	void doesNotDelayTheFirstPush() {
		assertThat(due(0)).isEqualTo(NOW);
	}

	@Test
	void combinesMessagesSoonAfterAPush() {
		due(0);
		assertThat(due(1)).isEqualTo(NOW.plusSeconds(5));
		assertThat(due(2)).isEqualTo(NOW.plusSeconds(5));
		assertThat(due(4)).isEqualTo(NOW.plusSeconds(5));
		assertThat(due(6)).isEqualTo(NOW.plusSeconds(10));
	}

	@Test
	void delaysNothingAfterAQuietPeriod() {
		due(0);
		assertThat(due(7)).isEqualTo(NOW.plusSeconds(7));
	}

	@Test
	void isIndependentForEachUserAndRoom() {
		due(0);
		assertThat(this.throttle.due("bert", "other", NOW)).isEqualTo(NOW);
		assertThat(this.throttle.due("anna", "room", NOW)).isEqualTo(NOW);
	}

	@Test
	void allowsOnePushAndDelaysTheFollowing() {
		due(0);
		assertThat(due(1)).isEqualTo(NOW.plusSeconds(5));
		assertThat(this.throttle.dueImmediately("bert", "room", NOW.plusSeconds(2))).isEqualTo(NOW.plusSeconds(2));
		assertThat(due(3)).isEqualTo(NOW.plusSeconds(7));
	}

	@Test
	void delaysNothingWithoutAnInterval() {
		PushThrottle none = new PushThrottle(Duration.ZERO);
		none.due("bert", "room", NOW);
		assertThat(none.due("bert", "room", NOW.plusMillis(1))).isEqualTo(NOW.plusMillis(1));
	}

	private Instant due(int seconds) {
		return this.throttle.due("bert", "room", NOW.plusSeconds(seconds));
	}

}
