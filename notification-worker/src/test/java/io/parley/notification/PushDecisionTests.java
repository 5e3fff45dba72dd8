package io.parley.notification;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

import io.parley.notification.PushFixture.Chat;
import io.parley.notification.provider.PushMessage;
import io.parley.store.push.PushLevel;
import io.parley.store.push.PushSetting;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTask;
import io.parley.store.push.RoomPushSetting;
import io.parley.store.room.Memberships;
import io.parley.store.room.ReadMarker;
import io.parley.store.room.ReadMarkerRepository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests the decisions that are made when a task is due, not when it is created. */
@PushTest
class PushDecisionTests {

	private final PushFixture push;

	private final PushDispatcher dispatcher;

	private final PushSettingRepository settings;

	private final ReadMarkerRepository read;

	private final Memberships memberships;

	PushDecisionTests(PushFixture push, PushDispatcher dispatcher, PushSettingRepository settings,
			ReadMarkerRepository read, Memberships memberships) {
		this.push = push;
		this.dispatcher = dispatcher;
		this.settings = settings;
		this.read = read;
		this.memberships = memberships;
	}

	@BeforeEach
	void pauseDecisions() {
		this.dispatcher.stop();
	}

	@AfterEach
	void resumeDecisions() {
		this.dispatcher.start();
	}

	@Test
	void skipsAUserWhoHasReadTheMessage() {
		Chat chat = this.push.room("anna", "bert", "cleo");
		long first = chat.post("anna", "First");
		long second = chat.post("anna", "Second");
		chat.awaitPlanned();
		this.read.advance(List.of(new ReadMarker(chat.id(), chat.name("bert"), second),
				new ReadMarker(chat.id(), chat.name("cleo"), first)));
		this.dispatcher.start();
		assertOutcomes(chat, "bert", "[READ]");
		assertOutcomes(chat, "cleo", "[SENT]");
	}

	@Test
	void skipsAUserWhoHasLeftTheRoom() {
		Chat chat = this.push.room("anna", "bert");
		chat.post("anna", "Hello");
		chat.awaitPlanned();
		this.memberships.leave(chat.id(), chat.name("bert"), Instant.now());
		this.dispatcher.start();
		assertOutcomes(chat, "bert", "[NOT_A_MEMBER]");
	}

	@Test
	void skipsAUserWhoIsOnlineAgain() {
		Chat chat = this.push.room("anna", "bert");
		chat.post("anna", "Hello");
		chat.awaitPlanned();
		chat.follow("bert", Instant.now().plusSeconds(60), Duration.ofMinutes(1));
		this.dispatcher.start();
		assertOutcomes(chat, "bert", "[RECEIVED]");
	}

	@Test
	void respectsMutesOfUserAndRoom() {
		Chat chat = this.push.room("anna", "all", "none", "later", "over", "room", "back");
		Instant hour = Instant.now().plusSeconds(3_600);
		this.settings.save(chat.name("none"), new PushSetting(PushLevel.NONE, null, null));
		this.settings.save(chat.name("later"), new PushSetting(PushLevel.ALL, hour, null));
		this.settings.save(chat.name("over"), new PushSetting(PushLevel.ALL, Instant.now().minusSeconds(1), null));
		this.settings.save(chat.id(), chat.name("room"), new RoomPushSetting(null, hour));
		this.settings.save(chat.name("back"), new PushSetting(PushLevel.NONE, null, null));
		this.settings.save(chat.id(), chat.name("back"), new RoomPushSetting(PushLevel.ALL, null));
		chat.post("anna", "Hello @none" + chat.suffix());
		chat.awaitPlanned();
		this.dispatcher.start();
		assertOutcomes(chat, "all", "[SENT]");
		assertOutcomes(chat, "none", "[MUTED]");
		assertOutcomes(chat, "later", "[MUTED]");
		assertOutcomes(chat, "over", "[SENT]");
		assertOutcomes(chat, "room", "[MUTED]");
		assertOutcomes(chat, "back", "[SENT]");
	}

	@Test
	void notifiesOfMentionsOnlyIfConfigured() {
		Chat chat = this.push.room("anna", "bert", "cleo");
		for (String username : List.of("bert", "cleo")) {
			this.settings.save(chat.name(username), new PushSetting(PushLevel.MENTIONS, null, null));
		}
		chat.post("anna", "Ask @" + chat.name("bert") + ", please.");
		chat.awaitPlanned();
		this.dispatcher.start();
		assertOutcomes(chat, "bert", "[SENT]");
		assertOutcomes(chat, "cleo", "[MUTED]");
		assertThat(this.push.provider().asked(chat.name("bert"))).extracting(PushMessage::mentioned)
			.containsExactly(true);
	}

	@Test
	void delaysPushesUntilTheEndOfQuietHours() {
		Chat chat = this.push.room("anna", "bert");
		ZoneId zone = ZoneOffset.UTC;
		LocalTime now = LocalTime.now(zone);
		this.settings.save(chat.name("bert"), new PushSetting(PushLevel.ALL, null,
				new PushSetting.QuietHours(now.minusHours(1), now.plusHours(1), zone)));
		chat.post("anna", "Hello");
		chat.awaitPlanned();
		this.dispatcher.start();
		assertOutcomes(chat, "bert", "[POSTPONED]");
		PushTask kept = this.push.tasks().pending(chat.name("bert"), chat.id()).orElseThrow();
		assertThat(kept.dueAt()).isAfter(Instant.now().plusSeconds(3_000));
		assertThat(kept.expiresAt()).isAfter(kept.dueAt());
		assertThat(this.push.provider().asked(chat.name("bert"))).isEmpty();
	}

	@Test
	void dropsExpiredTasks() {
		Chat chat = this.push.room("anna", "bert");
		Instant past = Instant.now().minusSeconds(1);
		this.push.tasks()
			.merge(List.of(PushTask.of(chat.name("bert"), chat.id(), chat.position(0), false, chat.name("anna"),
					"Hello", past, past, past)));
		this.dispatcher.start();
		assertOutcomes(chat, "bert", "[EXPIRED]");
		await().until(() -> !chat.isPending("bert"));
		assertThat(this.push.provider().asked(chat.name("bert"))).isEmpty();
	}

	private void assertOutcomes(Chat chat, String username, String outcomes) {
		await().untilAsserted(() -> assertThat(chat.outcomes(username)).hasToString(outcomes));
	}

}
