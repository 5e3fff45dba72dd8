package io.parley.notification;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.parley.notification.PushFixture.Chat;
import io.parley.notification.provider.PushMessage;
import io.parley.store.event.RoomPosition;
import io.parley.store.push.PushKey;
import io.parley.store.push.PushLevel;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.RoomPushSetting;
import io.parley.store.room.ReadMarker;
import io.parley.store.room.ReadMarkerRepository;
import io.parley.store.thread.ThreadKey;
import io.parley.store.thread.ThreadMembers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests who is notified of replies in threads. */
@PushTest
class ThreadPushTests {

	private final PushFixture push;

	private final PushDispatcher dispatcher;

	private final ThreadMembers members;

	private final ReadMarkerRepository read;

	private final PushSettingRepository settings;

	private final JdbcTemplate jdbc;

	ThreadPushTests(PushFixture push, PushDispatcher dispatcher, ThreadMembers members, ReadMarkerRepository read,
			PushSettingRepository settings, JdbcTemplate jdbc) {
		this.push = push;
		this.dispatcher = dispatcher;
		this.members = members;
		this.read = read;
		this.settings = settings;
		this.jdbc = jdbc;
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
	void notifiesFollowersAndMentionedMembers() {
		Chat chat = this.push.room("anna", "bert", "cleo", "dora", "elsa", "fred");
		long root = 7;
		participate(chat, root, "cleo", 8);
		participate(chat, root, "fred", 8);
		this.members.follow(key(chat, root, "dora"), true, 9);
		this.members.follow(key(chat, root, "fred"), false, 9);
		// The persistence-worker stores the first reply before the next one is planned.
		participate(chat, root, "bert", chat.reply("bert", root, "anna", "First"));
		long last = chat.reply("cleo", root, "anna", "Second @" + chat.name("elsa") + " @stranger");
		chat.awaitPlanned();
		this.dispatcher.start();
		for (String follower : List.of("anna", "dora")) {
			PushMessage message = pushTo(chat, follower);
			assertThat(message.messages()).as(follower).isEqualTo(2);
			assertThat(message.thread()).isEqualTo(root);
			assertThat(message.position()).isEqualTo(last);
			assertThat(message.sender()).isEqualTo(chat.name("cleo"));
		}
		assertThat(pushTo(chat, "bert").messages()).as("who replied").isEqualTo(1);
		assertThat(pushTo(chat, "cleo").text()).as("without the own one").isEqualTo("First");
		assertThat(pushTo(chat, "elsa").mentioned()).isTrue();
		assertThat(pushTo(chat, "elsa").messages()).isEqualTo(1);
		assertThat(this.push.provider().asked(chat.name("fred"))).as("does not follow").isEmpty();
	}

	@Test
	void aThreadHasATaskOfItsOwn() {
		Chat chat = this.push.room("anna", "bert");
		long first = chat.post("bert", "In the room");
		long reply = chat.reply("bert", 3, "anna", "In the thread");
		long last = chat.post("bert", "In the room again");
		chat.awaitPlanned();
		this.read.advance(List.of(new ReadMarker(chat.id(), chat.name("anna"), last)));
		this.dispatcher.start();
		PushMessage message = pushTo(chat, "anna");
		assertThat(message.text()).isEqualTo("In the thread");
		assertThat(message.thread()).isEqualTo(3);
		await().untilAsserted(() -> assertThat(chat.outcomes("anna")).hasSize(2).asString().contains("READ", "SENT"));
		PushKey room = new PushKey(chat.name("anna"), chat.id());
		assertThat(this.push.pushLog().about(room, reply)).extracting("outcome").asString().isEqualTo("[READ]");
		assertThat(this.push.pushLog().about(new PushKey(chat.name("anna"), chat.id(), 3), reply)).extracting("outcome")
			.asString()
			.isEqualTo("[SENT]");
		assertThat(this.push.pushLog().about(room, first)).hasSize(1);
	}

	@Test
	void whoHasReadTheThreadIsNotNotified() {
		Chat chat = this.push.room("anna", "bert");
		long reply = chat.reply("bert", 3, "anna", "Reply");
		chat.awaitPlanned();
		this.members.read(List.of(key(chat, 3, "anna")), reply);
		this.dispatcher.start();
		await().untilAsserted(() -> assertThat(chat.outcomes("anna")).hasToString("[READ]"));
	}

	@Test
	void whoHasStoppedFollowingIsNotNotified() {
		Chat chat = this.push.room("anna", "bert");
		long reply = chat.reply("bert", 3, "anna", "Reply");
		chat.awaitPlanned();
		this.members.follow(key(chat, 3, "anna"), false, reply);
		this.dispatcher.start();
		await().untilAsserted(() -> assertThat(chat.outcomes("anna")).hasToString("[MUTED]"));
	}

	@Test
	void whoHasLeftTheRoomIsNotNotified() {
		Chat chat = this.push.room("anna", "bert", "cleo");
		participate(chat, 3, "dora", 4);
		chat.reply("bert", 3, "anna", "@" + chat.name("cleo") + " @" + chat.name("dora"));
		chat.awaitPlanned();
		for (String left : List.of("anna", "cleo")) {
			this.jdbc.update("DELETE FROM room_member WHERE room_id = ? AND username = ?", chat.id(), chat.name(left));
		}
		this.dispatcher.start();
		for (String left : List.of("anna", "cleo")) {
			await().untilAsserted(() -> assertThat(chat.outcomes(left)).hasToString("[NOT_A_MEMBER]"));
		}
		assertThat(chat.outcomes("dora")).as("was none when the reply was planned").isEmpty();
	}

	/** The worker is behind: the users have replied and read in the meantime. */
	@Test
	void whoHasRepliedSinceIsNotNotified() {
		Chat chat = this.push.room("anna", "bert", "cleo", "dora");
		participate(chat, 3, "anna", Long.MAX_VALUE >> 4);
		participate(chat, 3, "cleo", 4);
		this.members.read(List.of(key(chat, 3, "cleo")), Long.MAX_VALUE >> 4);
		this.members.follow(key(chat, 3, "dora"), true, Long.MAX_VALUE >> 4);
		chat.reply("bert", 3, "anna", "Reply");
		chat.awaitPlanned();
		this.dispatcher.start();
		for (String reader : List.of("anna", "cleo", "dora")) {
			await().untilAsserted(() -> assertThat(chat.outcomes(reader)).as(reader).hasToString("[READ]"));
		}
	}

	@Test
	void countsNoDeletedReplies() {
		Chat chat = this.push.room("anna", "bert");
		long first = reply(chat, 3, "First");
		long inRoom = chat.post("bert", "In the room");
		store(chat, inRoom, "message.posted", null, "In the room");
		long other = reply(chat, 4, "In another thread");
		reply(chat, 3, "Second");
		long third = reply(chat, 3, "Third");
		chat.awaitPlanned();
		delete(chat, first, 3);
		delete(chat, inRoom, 0);
		delete(chat, other, 4);
		delete(chat, third, 3);
		this.dispatcher.start();
		await().untilAsserted(() -> assertThat(chat.outcomes("anna")).hasSize(3));
		PushMessage message = this.push.provider()
			.asked(chat.name("anna"))
			.stream()
			.filter((asked) -> asked.thread() == 3)
			.toList()
			.getFirst();
		assertThat(message.text()).isEqualTo("Second");
		assertThat(message.messages()).isEqualTo(1);
		assertThat(chat.outcomes("anna")).containsOnlyOnce(PushLogEntry.Outcome.SENT)
			.contains(PushLogEntry.Outcome.DELETED);
	}

	/** Posts a reply of bert in a thread of anna, and stores it. */
	private long reply(Chat chat, long root, String text) {
		long position = chat.reply("bert", root, "anna", text);
		store(chat, position, "thread.posted", root, text);
		return position;
	}

	private void store(Chat chat, long position, String type, @Nullable Long thread, String text) {
		this.jdbc.update("""
				INSERT INTO room_event (room_id, position, prev, number, type, event_id, sender, client_id, sent_at,
				thread, body) VALUES (?, ?, 0, 1, ?, ?, ?, ?, CURRENT_TIMESTAMP, ?, ?)""", chat.id(), position, type,
				"id" + position, chat.name("bert"), "c" + position, thread,
				"\"clientId\":\"c\",\"text\":\"" + text + "\"}");
	}

	private void delete(Chat chat, long position, long root) {
		this.jdbc.update("""
				INSERT INTO message_state (room_id, target, changed, edits, deleted, edited, root)
				VALUES (?, ?, ?, 0, ?, ?, ?)""", chat.id(), position, position + 1_000, true, position + 1_000, root);
		this.jdbc.update("UPDATE room_event SET body = '' WHERE room_id = ? AND position = ?", chat.id(), position);
	}

	@Test
	void theSettingsOfTheRoomApply() {
		Chat chat = this.push.room("anna", "bert");
		this.settings.save(chat.id(), chat.name("anna"), new RoomPushSetting(PushLevel.MENTIONS, null));
		chat.reply("bert", 3, "anna", "Reply");
		chat.awaitPlanned();
		this.dispatcher.start();
		await().untilAsserted(() -> assertThat(chat.outcomes("anna")).hasToString("[MUTED]"));
	}

	@Test
	void whoFollowsTheRoomLiveIsNotNotified() {
		Chat chat = this.push.room("anna", "bert");
		chat.follow("anna", Instant.now().plusSeconds(60), Duration.ofMinutes(5));
		chat.reply("bert", 3, "anna", "Reply");
		chat.awaitPlanned();
		this.dispatcher.start();
		chat.post("bert", "@" + chat.name("anna"));
		chat.awaitPlanned();
		assertThat(this.push.tasks().pending(new PushKey(chat.name("anna"), chat.id(), 3))).isEmpty();
		assertThat(chat.outcomes("anna")).isEmpty();
	}

	private PushMessage pushTo(Chat chat, String username) {
		return await().until(() -> this.push.provider().asked(chat.name(username)), (asked) -> asked.size() == 1)
			.getFirst();
	}

	private void participate(Chat chat, long root, String username, long position) {
		this.jdbc.update("INSERT INTO thread_participant (room_id, root, username, position) VALUES (?, ?, ?, ?)",
				chat.id(), root, chat.name(username), position);
	}

	private static ThreadKey key(Chat chat, long root, String username) {
		return new ThreadKey(new RoomPosition(chat.id(), root), chat.name(username));
	}

}
