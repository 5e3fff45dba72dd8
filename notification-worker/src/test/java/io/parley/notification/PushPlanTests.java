package io.parley.notification;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.parley.events.MemberJoined;
import io.parley.notification.PushFixture.Chat;
import io.parley.notification.provider.PushMessage;
import io.parley.store.log.ParkedEvents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests which users are notified of a message, from the log to the provider. */
@PushTest
class PushPlanTests {

	private static final Duration LEASE = Duration.ofMinutes(1);

	private final PushFixture push;

	private final NotificationWorker worker;

	private final PushDispatcher dispatcher;

	private final ParkedEvents parked;

	PushPlanTests(PushFixture push, NotificationWorker worker, PushDispatcher dispatcher, ParkedEvents parked) {
		this.push = push;
		this.worker = worker;
		this.dispatcher = dispatcher;
		this.parked = parked;
	}

	@AfterEach
	void resumeDecisions() {
		this.worker.start();
		this.dispatcher.start();
	}

	@Test
	void notifiesOfflineMembers() {
		Chat chat = this.push.room("anna", "bert", "cleo", "dora");
		chat.follow("cleo", Instant.now().plusSeconds(60), LEASE);
		long position = chat.post("anna", "Hello");
		await().until(() -> !asked(chat, "dora").isEmpty() && !asked(chat, "bert").isEmpty());
		PushMessage message = asked(chat, "bert").getFirst();
		assertThat(message.room()).isEqualTo(chat.id());
		assertThat(message.roomName()).isEqualTo("The room");
		assertThat(message.sender()).isEqualTo(chat.name("anna"));
		assertThat(message.text()).isEqualTo("Hello");
		assertThat(message.position()).isEqualTo(position);
		assertThat(message.target().value()).isEqualTo(chat.name("bert"));
		assertThat(asked(chat, "anna")).isEmpty();
		assertThat(asked(chat, "cleo")).isEmpty();
	}

	@Test
	void notifiesMembersWhoseNodeIsGone() {
		Chat chat = this.push.room("anna", "bert");
		chat.follow("bert", Instant.now().minusSeconds(10), Duration.ofSeconds(1));
		chat.post("anna", "Hello");
		await().until(() -> asked(chat, "bert").size() == 1);
	}

	@Test
	void waitsForANodeThatMayHaveDiedBeforeTheMessage() {
		Chat chat = this.push.room("anna", "bert", "cleo");
		chat.follow("bert", Instant.now().minusMillis(100), LEASE);
		chat.post("anna", "Hello");
		await().until(() -> asked(chat, "cleo").size() == 1);
		assertThat(chat.isPending("bert")).isTrue();
		assertThat(asked(chat, "bert")).isEmpty();
		chat.follow("bert", Instant.now().minusSeconds(10), Duration.ofSeconds(1));
		await().until(() -> asked(chat, "bert").size() == 1);
	}

	@Test
	void skipsMembersWhoseNodeWasAlive() {
		Chat chat = this.push.room("anna", "bert");
		chat.follow("bert", Instant.now().minusMillis(100), LEASE);
		chat.post("anna", "Hello");
		await().until(() -> chat.isPending("bert"));
		chat.follow("bert", Instant.now().plusSeconds(60), LEASE);
		await().until(() -> !chat.isPending("bert"));
		assertThat(asked(chat, "bert")).isEmpty();
		assertThat(chat.outcomes("bert")).hasToString("[RECEIVED]");
	}

	@Test
	void plansNothingForOtherEvents() {
		Chat chat = this.push.room("anna", "bert");
		chat.append(new MemberJoined(chat.id(), "id", chat.name("anna"), Instant.now(), chat.name("bert")));
		long position = chat.post("anna", "Hello");
		await().until(() -> !asked(chat, "bert").isEmpty());
		assertThat(asked(chat, "bert")).extracting(PushMessage::position).containsExactly(position);
	}

	@Test
	void plansNothingForUsersWithoutADevice() {
		Chat chat = this.push.chat("anna", "bert", "cleo");
		this.push.device(chat.name("cleo"), chat.name("cleo"));
		this.dispatcher.stop();
		chat.post("anna", "Hello");
		chat.awaitPlanned();
		assertThat(chat.isPending("cleo")).isTrue();
		assertThat(chat.isPending("bert")).isFalse();
	}

	@Test
	void notifiesEveryMemberOfALargeRoomOnce() {
		Chat chat = this.push.room(IntStream.range(0, 1201).mapToObj("user%04d"::formatted).toArray(String[]::new));
		chat.post("user0700", "Hello");
		await().until(() -> inRoom(chat).size() >= 1200);
		chat.awaitPlanned();
		assertThat(inRoom(chat)).doesNotContain(chat.name("user0700")).doesNotHaveDuplicates().hasSize(1200);
	}

	@Test
	void sendsOnePushForManyMessages() {
		Chat chat = this.push.room("anna", "bert");
		this.dispatcher.stop();
		for (int i = 1; i <= 20; i++) {
			chat.post("anna", "Message " + i);
		}
		chat.awaitPlanned();
		this.dispatcher.start();
		await().until(() -> !asked(chat, "bert").isEmpty());
		await().until(() -> !chat.isPending("bert"));
		assertThat(asked(chat, "bert")).hasSize(1);
		assertThat(asked(chat, "bert").getFirst().messages()).isEqualTo(20);
		assertThat(asked(chat, "bert").getFirst().text()).isEqualTo("Message 20");
	}

	@Test
	void resumesWhereItStopped() {
		Chat chat = this.push.room("anna", "bert");
		chat.post("anna", "First");
		await().until(() -> asked(chat, "bert").size() == 1);
		this.worker.stop();
		chat.post("anna", "Second");
		this.worker.start();
		await().until(() -> asked(chat, "bert").size() == 2);
		assertThat(asked(chat, "bert")).extracting(PushMessage::text).containsExactly("First", "Second");
		assertThat(asked(chat, "bert")).extracting(PushMessage::messages).containsExactly(1, 1);
	}

	@Test
	void parksUnreadableRecords() {
		long before = this.parked.count(NotificationWorker.READER);
		Chat chat = this.push.room("anna", "bert");
		this.push.log().append(0, new byte[] { 99 }).join();
		chat.post("anna", "Hello");
		await().until(() -> asked(chat, "bert").size() == 1);
		assertThat(this.parked.count(NotificationWorker.READER)).isEqualTo(before + 1);
	}

	private List<PushMessage> asked(Chat chat, String username) {
		return this.push.provider().asked(chat.name(username));
	}

	private List<String> inRoom(Chat chat) {
		return this.push.provider()
			.asked()
			.stream()
			.filter((message) -> message.room().equals(chat.id()))
			.map(PushMessage::username)
			.toList();
	}

}
