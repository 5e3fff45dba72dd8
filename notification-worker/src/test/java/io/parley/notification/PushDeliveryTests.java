package io.parley.notification;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.parley.notification.PushProperties.Provider;
import io.parley.notification.provider.PushAnswer;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.push.Device;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogEntry.Outcome;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTask;
import io.parley.store.room.ReadMarkerRepository;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests how long a device is retried, with the default settings. */
@PushTest
class PushDeliveryTests {

	private static final PushProperties DEFAULTS = Binder.get(new StandardEnvironment())
		.bindOrCreate("chat.push", PushProperties.class);

	private final Badges badges;

	private final Instant now = Instant.now();

	PushDeliveryTests(PushFixture push, RoomEventRepository events, MessageStateRepository states,
			ReadMarkerRepository read, PushSettingRepository settings) {
		this.badges = new Badges(push.members(), events, states, read, settings);
	}

	@Test
	void triesADeviceUntilThePushExpires() {
		PushDelivery.Result result = deliver(DEFAULTS, 40, this.now.plus(Duration.ofMinutes(11)));
		assertThat(result.ended()).isEmpty();
		assertThat(result.retries()).singleElement()
			.satisfies((retry) -> assertThat(retry.due()).isBefore(this.now.plus(Duration.ofMinutes(11))));
	}

	@Test
	void givesUpWhenTheNextRetryIsAfterTheExpiry() {
		PushDelivery.Result result = deliver(DEFAULTS, 40, this.now.plusSeconds(60));
		assertThat(result.retries()).isEmpty();
		assertThat(result.ended()).hasSize(1);
		assertThat(result.entries()).extracting(PushLogEntry::outcome)
			.containsExactly(Outcome.RETRIED, Outcome.EXPIRED);
		assertThat(result.entries().getLast().detail())
			.isEqualTo("given up after 41 attempts; the last answers are above");
	}

	@Test
	void givesUpEarlierWithALimitOfAttempts() {
		PushProperties bounded = new PushProperties(Provider.FCM, DEFAULTS.grace(), DEFAULTS.interval(),
				DEFAULTS.expiry(), 3, DEFAULTS.retryDelay(), DEFAULTS.takeover(), DEFAULTS.largeRoom(),
				DEFAULTS.logRetention(), DEFAULTS.deviceExpiry());
		Instant later = this.now.plus(Duration.ofHours(1));
		assertThat(deliver(bounded, 1, later).retries()).hasSize(1);
		assertThat(deliver(bounded, 2, later).entries()).extracting(PushLogEntry::outcome)
			.containsExactly(Outcome.RETRIED, Outcome.PARKED);
	}

	private PushDelivery.Result deliver(PushProperties properties, int attempts, Instant expiresAt) {
		PushDelivery delivery = new PushDelivery(
				(messages) -> messages.stream().map((message) -> PushAnswer.retry("busy", null)).toList(), this.badges,
				properties);
		Device device = new Device("d1", "bert", Device.Kind.TOKEN, "t", Device.Platform.ANDROID, Instant.EPOCH);
		PushTask task = new PushTask("bert", "r1", 1, 1, 1, 0, "anna", "Hello", this.now, this.now, expiresAt, attempts,
				Set.of("d1"), 1, null);
		return delivery.deliver(List.of(new TaskDecisions.Send(task, task, "The room", List.of(device))), this.now);
	}

}
