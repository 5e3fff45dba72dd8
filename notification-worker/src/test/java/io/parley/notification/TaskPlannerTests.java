package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.parley.events.MessagePosted;
import io.parley.notification.PushFixture.Chat;
import io.parley.store.push.PushLevel;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTask;
import io.parley.store.push.RoomPushSetting;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the decisions that are made before a task is stored. */
@PushTest
class TaskPlannerTests {

	private static final int LARGE = 4;

	private final PushFixture push;

	private final PushSettingRepository settings;

	private final PushProperties properties;

	private final TaskPlanner planner;

	TaskPlannerTests(PushFixture push, PushSettingRepository settings, PushProperties given) {
		this.push = push;
		this.settings = settings;
		this.properties = new PushProperties(given.provider(), given.grace(), given.interval(), given.expiry(),
				given.attempts(), given.retryDelay(), given.takeover(), LARGE, given.logRetention(),
				given.deviceExpiry());
		this.planner = new TaskPlanner(push.roomMembers(), push.members(), push.presence(), settings, push.devices(),
				push.threads(), this.properties, Clock.systemUTC());
	}

	@Test
	void plansInALargeRoomForMentionsAndLevelAllOnly() {
		Chat chat = this.push.room("anna", "bert", "cleo", "dora", "elsa");
		this.settings.save(chat.id(), chat.name("cleo"), new RoomPushSetting(PushLevel.ALL, null));
		this.settings.save(chat.id(), chat.name("elsa"), new RoomPushSetting(PushLevel.MENTIONS, null));
		Instant now = Instant.now();
		List<PushTask> tasks = this.planner.plan(List.of(posted(chat, 1, now, "Hello"),
				posted(chat, 2, now, "Hello @" + chat.name("bert") + " @" + chat.name("anna") + " @nobody")));
		assertThat(tasks).extracting(PushTask::username)
			.containsExactlyInAnyOrder(chat.name("bert"), chat.name("cleo"));
		assertThat(tasks).extracting(PushTask::messages).containsExactlyInAnyOrder(1, 2);
	}

	@Test
	void plansInASmallRoomForAllMembers() {
		Chat chat = this.push.room("anna", "bert", "cleo");
		assertThat(this.planner.plan(List.of(posted(chat, 1, Instant.now(), "Hello")))).hasSize(2);
	}

	@Test
	void plansNothingForAnExpiredMessage() {
		Chat chat = this.push.room("anna", "bert");
		Instant now = Instant.now();
		Instant old = now.minus(this.properties.expiry());
		List<PushTask> tasks = this.planner.plan(List.of(posted(chat, 1, old, "Old"), posted(chat, 2, now, "New")));
		assertThat(tasks).singleElement().satisfies((task) -> {
			assertThat(task.messages()).isOne();
			assertThat(task.text()).isEqualTo("New");
		});
		assertThat(this.planner.plan(List.of(posted(chat, 3, old, "Old")))).isEmpty();
	}

	@Test
	void derivesTheExpiryFromTheSendTime() {
		Chat chat = this.push.room("anna", "bert");
		Instant sent = Instant.now().minus(Duration.ofHours(1));
		PushTask task = this.planner.plan(List.of(posted(chat, 1, sent, "Hello"))).getFirst();
		assertThat(task.sentAt()).isEqualTo(sent);
		assertThat(task.expiresAt()).isEqualTo(sent.plus(this.properties.expiry()));
	}

	private static PositionedMessage posted(Chat chat, long position, Instant sentAt, String text) {
		MessagePosted message = new MessagePosted(chat.id(), "event" + position, chat.name("anna"), "client" + position,
				sentAt, text, Map.of());
		return PositionedMessage.of(message, position, sentAt);
	}

}
