package io.parley.notification;

import io.parley.notification.PushFixture.Chat;
import io.parley.notification.provider.PushMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests that pushes show what messages are when the push is due. */
@PushTest
class PushChangesTests {

	private final PushFixture push;

	private final PushDispatcher dispatcher;

	private final JdbcTemplate jdbc;

	PushChangesTests(PushFixture push, PushDispatcher dispatcher, JdbcTemplate jdbc) {
		this.push = push;
		this.dispatcher = dispatcher;
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
	void showsTheTextOfTheLastEdit() {
		Chat chat = this.push.room("anna", "bert");
		long position = post(chat, "anna", "First");
		chat.awaitPlanned();
		change(chat, position, "Second", false);
		assertThat(push(chat).text()).isEqualTo("Second");
	}

	@Test
	void showsTheNewestMessageThatIsLeft() {
		Chat chat = this.push.room("anna", "bert", "cleo");
		post(chat, "anna", "First");
		post(chat, "bert", "An own one");
		long third = post(chat, "cleo", "Third");
		chat.awaitPlanned();
		change(chat, third, null, true);
		PushMessage message = push(chat);
		assertThat(message.text()).isEqualTo("First");
		assertThat(message.sender()).isEqualTo(chat.name("anna"));
		assertThat(message.messages()).isEqualTo(1);
	}

	@Test
	void countsNoDeletedMessages() {
		Chat chat = this.push.room("anna", "bert");
		long first = post(chat, "anna", "First");
		post(chat, "anna", "Second");
		post(chat, "anna", "Third");
		chat.awaitPlanned();
		change(chat, first, null, true);
		PushMessage message = push(chat);
		assertThat(message.text()).isEqualTo("Third");
		assertThat(message.messages()).isEqualTo(2);
	}

	@Test
	void endsWhenAllIsDeleted() {
		Chat chat = this.push.room("anna", "bert");
		long first = post(chat, "anna", "First");
		long second = post(chat, "anna", "Second");
		chat.awaitPlanned();
		change(chat, first, null, true);
		change(chat, second, null, true);
		this.dispatcher.start();
		await().untilAsserted(() -> assertThat(chat.outcomes("bert")).hasToString("[DELETED]"));
		assertThat(this.push.provider().asked(chat.name("bert"))).isEmpty();
		assertThat(chat.isPending("bert")).isFalse();
	}

	@Test
	void keepsAMessageThatIsNotStoredYet() {
		Chat chat = this.push.room("anna", "bert");
		long first = post(chat, "anna", "First");
		chat.post("anna", "Second");
		chat.awaitPlanned();
		change(chat, first, null, true);
		PushMessage message = push(chat);
		assertThat(message.text()).isEqualTo("Second");
		assertThat(message.messages()).isEqualTo(1);
	}

	private PushMessage push(Chat chat) {
		this.dispatcher.start();
		await().until(() -> this.push.provider().asked(chat.name("bert")).size() == 1);
		await().untilAsserted(() -> assertThat(chat.outcomes("bert")).hasToString("[SENT]"));
		assertThat(chat.isPending("bert")).isFalse();
		return this.push.provider().asked(chat.name("bert")).getFirst();
	}

	/** Posts a message, and stores it. */
	private long post(Chat chat, String sender, String text) {
		long position = chat.post(sender, text);
		this.jdbc.update("""
				INSERT INTO room_event (room_id, position, prev, number, type, event_id, sender, client_id, sent_at,
				body) VALUES (?, ?, 0, 1, 'message.posted', ?, ?, ?, CURRENT_TIMESTAMP, ?)""", chat.id(), position,
				"id" + position, chat.name(sender), "c" + position, "\"clientId\":\"c\",\"text\":\"" + text + "\"}");
		return position;
	}

	private void change(Chat chat, long position, @org.jspecify.annotations.Nullable String text, boolean deleted) {
		this.jdbc.update(
				"INSERT INTO message_state (room_id, target, changed, text, edits, deleted) VALUES (?, ?, ?, ?, 1, ?)",
				chat.id(), position, position + 1_000, text, deleted);
		if (deleted) {
			this.jdbc.update("UPDATE room_event SET body = '' WHERE room_id = ? AND position = ?", chat.id(), position);
		}
	}

}
