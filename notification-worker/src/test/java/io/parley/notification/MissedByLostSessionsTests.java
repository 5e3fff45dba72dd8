package io.parley.notification;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.notification.PushFixture.Chat;
import io.parley.store.UtcTime;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.presence.LostSession;
import io.parley.store.presence.LostSessionRepository;
import io.parley.store.push.PushTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests a lost session while the persistence-worker lags behind. */
@PushTest
class MissedByLostSessionsTests {

	private static final String PERSISTENCE = "persistence";

	private final PushFixture push;

	private final PushDispatcher dispatcher;

	private final MissedByLostSessions missed;

	private final LostSessionRepository lost;

	private final ReaderOffsets offsets;

	private final JdbcTemplate jdbc;

	private final Instant now = Instant.now();

	MissedByLostSessionsTests(PushFixture push, PushDispatcher dispatcher, MissedByLostSessions missed,
			LostSessionRepository lost, ReaderOffsets offsets, JdbcTemplate jdbc) {
		this.push = push;
		this.dispatcher = dispatcher;
		this.missed = missed;
		this.lost = lost;
		this.offsets = offsets;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void pauseDecisions() {
		this.dispatcher.stop();
	}

	@AfterEach
	void resumeDecisions() {
		this.jdbc.update("DELETE FROM push_task");
		this.dispatcher.start();
	}

	@Test
	void waitsUntilTheMissedMessagesAreStored() {
		Chat chat = this.push.room("anna", "bert", "cleo");
		chat.follow("bert", this.now.plusSeconds(60), Duration.ofMinutes(5));
		MessagePosted message = message(chat, "Hello");
		long position = chat.append(message);
		chat.awaitPlanned();
		lose(chat, "bert", "session");
		this.missed.plan();
		assertThat(chat.isPending("bert")).isFalse();
		assertThat(lost(chat)).isOne();
		store(message, position);
		this.missed.plan();
		assertThat(lost(chat)).isZero();
		PushTask task = this.push.tasks().pending(chat.name("bert"), chat.id()).orElseThrow();
		assertThat(task.lastPosition()).isEqualTo(position);
		assertThat(task.text()).isEqualTo("Hello");
	}

	@Test
	void notifiesOncePerMessageForSeveralLostSessions() {
		Chat chat = this.push.room("anna", "bert", "cleo");
		for (String follower : List.of("bert", "cleo")) {
			chat.follow(follower, this.now.plusSeconds(60), Duration.ofMinutes(5));
		}
		for (int i = 1; i <= 3; i++) {
			MessagePosted message = message(chat, "Message " + i);
			store(message, chat.append(message));
		}
		chat.awaitPlanned();
		stored();
		lose(chat, "bert", "phone");
		lose(chat, "bert", "laptop");
		lose(chat, "cleo", "phone");
		lose(chat, "anna", "phone");
		this.missed.plan();
		assertThat(chat.members())
			.extracting((name) -> this.push.tasks().pending(name, chat.id()).map(PushTask::messages))
			.containsExactly(Optional.empty(), Optional.of(3), Optional.of(3));
		lose(chat, "bert", "tablet");
		this.missed.plan();
		assertThat(lost(chat)).isZero();
		assertThat(this.push.tasks().pending(chat.name("bert"), chat.id()).orElseThrow().messages()).isEqualTo(3);
	}

	private MessagePosted message(Chat chat, String text) {
		return new MessagePosted(chat.id(), UUID.randomUUID().toString(), chat.name("anna"),
				UUID.randomUUID().toString(), Instant.now(), text, Map.of());
	}

	private void lose(Chat chat, String username, String session) {
		this.lost.add(List.of(new LostSession(username + session + chat.suffix(), chat.id(), chat.name(username),
				this.now.minusSeconds(60), this.now.minusSeconds(30))));
	}

	private int lost(Chat chat) {
		Integer count = this.jdbc.queryForObject("SELECT COUNT(*) FROM lost_session WHERE room_id = ?", Integer.class,
				chat.id());
		return (count != null) ? count : 0;
	}

	/** Stores a message as the persistence-worker does. */
	private void store(MessagePosted message, long position) {
		EventRecord record = EventRecord.of(message);
		this.jdbc.update(
				"""
						INSERT INTO room_event (room_id, position, prev, number, type, event_id, sender, client_id, sent_at, body)
						VALUES (?, ?, 0, 1, ?, ?, ?, ?, ?, ?)""",
				record.room(), position, record.type().wireName(), record.id(), record.sender(), record.clientId(),
				UtcTime.of(record.sentAt()), new String(record.tail(), StandardCharsets.UTF_8));
		stored();
	}

	private void stored() {
		long epoch = this.push.epochs().current(this.push.log());
		this.offsets.commit(PERSISTENCE, 0, epoch, this.push.log().endOffset(0));
	}

}
