package io.parley.baseline.inline;

import java.time.OffsetDateTime;
import java.util.List;

import io.parley.baseline.ChatMessage;

import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Handles a message in one transaction: stores it, then pushes it to the offline devices
 * one after the other.
 */
@Component
@Profile("inline")
class Posting {

	private final JdbcTemplate database;

	private final FcmClient fcm;

	Posting(JdbcTemplate database, FcmClient fcm) {
		this.database = database;
		this.fcm = fcm;
	}

	@Transactional
	public void post(String room, ChatMessage message) {
		this.database.update("INSERT INTO message (room, client_id, text, sent_at) VALUES (?, ?, ?, ?)", room,
				message.clientId(), message.text(), OffsetDateTime.now());
		List<String> away = this.database.queryForList("SELECT token FROM device WHERE room = ? AND away", String.class,
				room);
		away.forEach((token) -> this.fcm.send(token, room, message));
	}

}
