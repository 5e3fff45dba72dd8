package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.parley.events.MessagePosted;
import io.parley.notification.PushFixture.Chat;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTask;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Many messages result in few pushes. */
@PushTest
class PushSpacingTests {

	private static final Duration INTERVAL = Duration.ofHours(1);

	private final PushFixture push;

	private final TaskPlanner planner;

	PushSpacingTests(PushFixture push, PushSettingRepository settings, PushProperties given) {
		this.push = push;
		PushProperties spaced = new PushProperties(given.provider(), given.grace(), INTERVAL, given.expiry(),
				given.attempts(), given.retryDelay(), given.takeover(), given.largeRoom(), given.logRetention(),
				given.deviceExpiry());
		this.planner = new TaskPlanner(push.roomMembers(), push.members(), push.presence(), settings, push.devices(),
				push.threads(), spaced, Clock.systemUTC());
	}

	@Test
	void delaysTheNextPushOfARoom() {
		Chat chat = this.push.room("anna", "bert");
		Instant first = due(chat, 1);
		assertThat(first).isBefore(Instant.now().plusSeconds(1));
		assertThat(due(chat, 2)).isEqualTo(first.plus(INTERVAL));
		assertThat(due(chat, 3)).as("pushed together with the second").isEqualTo(first.plus(INTERVAL));
	}

	@Test
	void pushesAMentionAtOnce() {
		Chat chat = this.push.room("anna", "bert");
		due(chat, 1);
		assertThat(due(chat, 2)).isAfter(Instant.now().plus(INTERVAL.dividedBy(2)));
		assertThat(due(chat, 3, "Hello @" + chat.name("bert"))).isBefore(Instant.now().plusSeconds(1));
	}

	private Instant due(Chat chat, long position) {
		return due(chat, position, "Hello");
	}

	private Instant due(Chat chat, long position, String text) {
		MessagePosted message = new MessagePosted(chat.id(), "event" + position, chat.name("anna"), "client" + position,
				Instant.now(), text, Map.of());
		List<PushTask> tasks = this.planner.plan(List.of(PositionedMessage.of(message, position, message.sentAt())));
		assertThat(tasks).hasSize(1);
		return tasks.getFirst().dueAt();
	}

}
