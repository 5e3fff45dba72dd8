package io.parley.notification;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import io.parley.notification.PushFixture.Chat;
import io.parley.notification.provider.PushMessage;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.push.Device;
import io.parley.store.push.PushLevel;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.RoomPushSetting;
import io.parley.store.room.Member;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.ReadMarker;
import io.parley.store.room.ReadMarkerRepository;
import io.parley.store.room.RoomRole;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@PushTest
class BadgesTests {

	private final PushFixture push;

	private final MemberRepository members;

	private final RoomEventRepository events;

	private final MessageStateRepository states;

	private final ReadMarkerRepository read;

	private final PushSettingRepository settings;

	private final JdbcTemplate jdbc;

	BadgesTests(PushFixture push, MemberRepository members, RoomEventRepository events, MessageStateRepository states,
			ReadMarkerRepository read, PushSettingRepository settings, JdbcTemplate jdbc) {
		this.push = push;
		this.members = members;
		this.events = events;
		this.states = states;
		this.read = read;
		this.settings = settings;
		this.jdbc = jdbc;
	}

	@Test
	void countUnreadMessagesInUnmutedRooms() {
		Chat read = this.push.chat("anna", "bert");
		Chat unread = this.push.chat("anna");
		Chat muted = this.push.chat("anna");
		String bert = read.name("bert");
		this.members.saveAll(List.of(new Member(unread.id(), bert, RoomRole.MEMBER, Instant.now()),
				new Member(muted.id(), bert, RoomRole.MEMBER, Instant.now())));
		store(read, 5);
		store(unread, 7);
		store(muted, 100);
		this.read.advance(List.of(new ReadMarker(read.id(), bert, 3)));
		this.settings.save(muted.id(), bert, new RoomPushSetting(PushLevel.NONE, null));
		Badges badges = new Badges(this.members, this.events, this.states, this.read, this.settings);
		assertThat(badges.unread(List.of(bert), Instant.now())).containsEntry(bert, 2L + 7L);
	}

	@Test
	void areReadForDevicesThatShowThem() {
		Chat chat = this.push.chat("anna", "bert");
		this.push.devices()
			.register(chat.name("bert"), Device.Kind.TOKEN, "iphone" + chat.suffix(), Device.Platform.IOS,
					Instant.now());
		store(chat, 4);
		chat.post("anna", "Hello");
		await().until(() -> !this.push.provider().asked(chat.name("bert")).isEmpty());
		assertThat(this.push.provider().asked(chat.name("bert"))).extracting(PushMessage::unread).containsExactly(4L);
	}

	/** Stores this number of messages, at the positions 1, 2, 3 … */
	private void store(Chat chat, int messages) {
		for (int number = 1; number <= messages; number++) {
			this.jdbc.update("""
					INSERT INTO room_event (room_id, position, prev, number, type, event_id, sender, client_id, sent_at,
					body) VALUES (?, ?, ?, ?, 'message.posted', ?, 'anna', ?, CURRENT_TIMESTAMP, '{}')""", chat.id(),
					number, number - 1, number, UUID.randomUUID().toString(), "c" + number);
		}
		this.jdbc.update("INSERT INTO room_head (room_id, last_position, last_number) VALUES (?, ?, ?)", chat.id(),
				messages, messages);
	}

}
