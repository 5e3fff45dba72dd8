package io.parley.notification;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When the next push about a room may be due. */
class PushThrottleTests {

	private static final Instant NOW = Instant.now();

	private final PushThrottle spacing = new PushThrottle(Duration.ofSeconds(5));

	@Test
	void doesNotHoldTheFirstPush() {
		assertThat(due(0)).isEqualTo(NOW);
	}

	@Test
	void gathersInOnePushWhatComesSoonAfterOne() {
		due(0);
		assertThat(due(1)).isEqualTo(NOW.plusSeconds(5));
		assertThat(due(2)).isEqualTo(NOW.plusSeconds(5));
		assertThat(due(4)).isEqualTo(NOW.plusSeconds(5));
		assertThat(due(6)).isEqualTo(NOW.plusSeconds(10));
	}

	@Test
	void holdsNothingAfterAQuietTime() {
		due(0);
		assertThat(due(7)).isEqualTo(NOW.plusSeconds(7));
	}

	@Test
	void keepsUsersAndRoomsApart() {
		due(0);
		assertThat(this.spacing.due("bert", "other", NOW)).isEqualTo(NOW);
		assertThat(this.spacing.due("anna", "room", NOW)).isEqualTo(NOW);
	}

	@Test
	void letsOneThroughAndSpacesThoseAfterIt() {
		due(0);
		assertThat(due(1)).isEqualTo(NOW.plusSeconds(5));
		assertThat(this.spacing.dueImmediately("bert", "room", NOW.plusSeconds(2))).isEqualTo(NOW.plusSeconds(2));
		assertThat(due(3)).isEqualTo(NOW.plusSeconds(7));
	}

	@Test
	void holdsNothingWithoutAnInterval() {
		PushThrottle none = new PushThrottle(Duration.ZERO);
		none.due("bert", "room", NOW);
		assertThat(none.due("bert", "room", NOW.plusMillis(1))).isEqualTo(NOW.plusMillis(1));
	}

	private Instant due(int seconds) {
		return this.spacing.due("bert", "room", NOW.plusSeconds(seconds));
	}

}
