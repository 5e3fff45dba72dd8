package io.parley.notification;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.parley.events.Mentions;
import io.parley.events.MessageEdited;
import io.parley.events.MessagePosted;
import io.parley.notification.PushFixture.Chat;
import io.parley.notification.provider.PushMessage;
import io.parley.store.push.PushLevel;
import io.parley.store.push.PushSetting;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.room.ReadMarker;
import io.parley.store.room.ReadMarkerRepository;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests who is notified because a message or an edit mentions them. */
@PushTest
class MentionPushTests {

	private final PushFixture push;

	private final PushDispatcher dispatcher;

	private final PushSettingRepository settings;

	private final ReadMarkerRepository read;

	MentionPushTests(PushFixture push, PushDispatcher dispatcher, PushSettingRepository settings,
			ReadMarkerRepository read) {
		this.push = push;
		this.dispatcher = dispatcher;
		this.settings = settings;
		this.read = read;
	}

	@BeforeEach
	void pauseDecisions() {
		this.dispatcher.stop();
	}

	@AfterEach
	void resumeDecisions() {
		this.dispatcher.start();
	}

	/** Creates a room in which everybody wants to be notified of mentions only. */
	private Chat mentionsOnly(String... users) {
		Chat chat = this.push.room(users);
		chat.members().forEach((user) -> this.settings.save(user, new PushSetting(PushLevel.MENTIONS, null, null)));
		return chat;
	}

	@Test
	void theSenderDecidesNotTheText() {
		Chat chat = mentionsOnly("anna", "bert", "cleo", "dora");
		post(chat, "@" + chat.name("cleo"), mentions(chat, "bert"));
		post(chat, "@" + chat.name("cleo"), Mentions.NONE);
		post(chat, "@" + chat.name("dora"), null);
		chat.awaitPlanned();
		this.dispatcher.start();
		for (String user : List.of("bert", "dora")) {
			assertThat(pushTo(chat, user).mentioned()).as(user).isTrue();
		}
		await().untilAsserted(() -> assertThat(chat.outcomes("cleo")).hasToString("[MUTED]"));
		assertThat(this.push.provider().asked(chat.name("cleo"))).isEmpty();
	}

	@Test
	void theWholeRoomIsMentionedExceptTheSender() {
		Chat chat = mentionsOnly("anna", "bert", "cleo");
		post(chat, "all", new Mentions(List.of(), List.of(), true));
		reply(chat, "all in the thread", new Mentions(List.of(), List.of(), true));
		chat.awaitPlanned();
		this.dispatcher.start();
		for (String user : List.of("bert", "cleo")) {
			await().untilAsserted(
					() -> assertThat(this.push.provider().asked(chat.name(user))).extracting(PushMessage::text)
						.containsExactlyInAnyOrder("all", "all in the thread"));
			assertThat(this.push.provider().asked(chat.name(user))).allMatch(PushMessage::mentioned);
		}
		assertThat(this.push.provider().asked(chat.name("anna"))).isEmpty();
	}

	@Test
	void anEditNotifiesThoseWhomItMentionsFirst() {
		Chat chat = this.push.room("anna", "bert", "cleo", "dora");
		long position = post(chat, "first", mentions(chat, "bert"));
		chat.awaitPlanned();
		this.dispatcher.start();
		Stream.of("bert", "cleo", "dora").forEach((user) -> pushTo(chat, user));
		await().untilAsserted(() -> assertThat(chat.isPending("cleo") || chat.isPending("bert")).isFalse());
		this.dispatcher.stop();
		// Cleo has read the message, but not the edit.
		this.read.advance(List.of(new ReadMarker(chat.id(), chat.name("cleo"), position)));
		edit(chat, position, "second", mentions(chat, "bert", "cleo"), mentions(chat, "bert"));
		edit(chat, position, "third", mentions(chat, "bert", "cleo"), null);
		chat.awaitPlanned();
		this.dispatcher.start();
		await().untilAsserted(() -> assertThat(this.push.provider().asked(chat.name("cleo"))).hasSize(2));
		PushMessage second = this.push.provider().asked(chat.name("cleo")).getLast();
		assertThat(second.mentioned()).isTrue();
		assertThat(second.position()).isEqualTo(position);
		assertThat(second.messages()).isOne();
		assertThat(this.push.provider().asked(chat.name("bert"))).as("was mentioned before").hasSize(1);
		assertThat(this.push.provider().asked(chat.name("dora"))).as("is not mentioned").hasSize(1);
	}

	@Test
	void anEditThatMentionsTheRoomNotifiesTheOthers() {
		Chat chat = mentionsOnly("anna", "bert", "cleo");
		long position = post(chat, "first", mentions(chat, "bert"));
		long edited = edit(chat, position, "second", new Mentions(List.of(), List.of(), true), mentions(chat, "bert"));
		chat.awaitPlanned();
		this.dispatcher.start();
		assertThat(pushTo(chat, "cleo").mentioned()).isTrue();
		assertThat(pushTo(chat, "bert").messages()).as("once").isOne();
		this.dispatcher.stop();
		edit(chat, position, "third", mentions(chat, "cleo"), Mentions.NONE);
		this.read.advance(List.of(new ReadMarker(chat.id(), chat.name("cleo"), edited + 10)));
		chat.awaitPlanned();
		this.dispatcher.start();
		await().untilAsserted(() -> assertThat(chat.outcomes("cleo")).hasToString("[SENT, READ]"));
	}

	private static Mentions mentions(Chat chat, String... users) {
		return Mentions.of(Stream.of(users).map(chat::name).toArray(String[]::new));
	}

	private static long post(Chat chat, String text, @Nullable Mentions mentions) {
		return chat.append(message(chat, text, null, mentions));
	}

	private static void reply(Chat chat, String text, Mentions mentions) {
		chat.append(message(chat, text, new MessagePosted.InThread(7, chat.name("anna")), mentions));
	}

	private static MessagePosted message(Chat chat, String text, MessagePosted.@Nullable InThread thread,
			@Nullable Mentions mentions) {
		return new MessagePosted(chat.id(), UUID.randomUUID().toString(), chat.name("anna"),
				UUID.randomUUID().toString(), Instant.now(), text, Map.of(), false, 0, thread, mentions);
	}

	private static long edit(Chat chat, long target, String text, Mentions mentions, @Nullable Mentions before) {
		return chat.append(new MessageEdited(chat.id(), UUID.randomUUID().toString(), chat.name("anna"),
				UUID.randomUUID().toString(), Instant.now(), target, text, 0, mentions, before));
	}

	private PushMessage pushTo(Chat chat, String user) {
		return await().until(() -> this.push.provider().asked(chat.name(user)), (asked) -> !asked.isEmpty()).getFirst();
	}

}
