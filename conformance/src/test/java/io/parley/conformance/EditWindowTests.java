package io.parley.conformance;

import java.util.UUID;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests when messages can no longer be edited, and not yet. */
@ProtocolTest(properties = { "chat.messages.edit-window=1ms", "chat.limits.sends-per-second=0" })
class EditWindowTests {

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	EditWindowTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
	}

	@Test
	void isOverForAnEditButNotForADeletion() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c", "text");
		await().until(() -> anna.edit(room, target, UUID.randomUUID().toString(), "text").code().equals("too-late"));
		assertThat(anna.edit(room, target, "e", "text").expect(409).code()).isEqualTo("too-late");
		anna.deleteMessage(room, target).expect(202);
		assertThat(anna.edit(room, target, "e", "text").expect(409).code()).isEqualTo("message-deleted");
	}

	@Test
	void waitsForTheFormatOfRecords() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		this.jdbc.update("UPDATE record_format SET version = 1");
		try {
			await().atMost(java.time.Duration.ofSeconds(60)).untilAsserted(() -> {
				long target = anna.say(room, UUID.randomUUID().toString(), "text");
				ChatApi.Answer answer = anna.deleteMessage(room, target);
				assertThat(answer.code()).isEqualTo("not-allowed");
				assertThat(answer.body().path("detail").asString()).contains("./chat record-format 2");
			});
		}
		finally {
			this.jdbc.update("UPDATE record_format SET version = 2");
		}
	}

}
