package io.parley.store.push;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.presence.NodePresence;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.PushRecipients.Recipient;
import io.parley.store.room.Member;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.RoomRole;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class PushRecipientsTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");

	private static final PushKey ANNA = new PushKey("anna", "recipients");

	private final PushRecipients recipients;

	private final MemberRepository members;

	private final PushSettingRepository settings;

	private final RoomPresence followers;

	private final NodePresence nodes;

	private final JdbcTemplate jdbc;

	PushRecipientsTests(PushRecipients recipients, MemberRepository members, PushSettingRepository settings,
			RoomPresence followers, NodePresence nodes, JdbcTemplate jdbc) {
		this.recipients = recipients;
		this.members = members;
		this.settings = settings;
		this.followers = followers;
		this.nodes = nodes;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		for (String table : List.of("room_member", "read_marker", "room_push_setting", "followed_rooms",
				"room_presence", "node_lease")) {
			this.jdbc.update("DELETE FROM " + table);
		}
	}

	@Test
	void knowsWhatDecidesAboutAMember() {
		join(ANNA);
		this.jdbc.update("INSERT INTO read_marker (room_id, username, position) VALUES (?, ?, ?)", ANNA.room(),
				ANNA.username(), 42);
		RoomPushSetting setting = new RoomPushSetting(PushLevel.MENTIONS, NOW.plusSeconds(60));
		this.settings.save(ANNA.room(), ANNA.username(), setting);
		follow("n1", NOW.minusSeconds(3), NOW.plusSeconds(5));
		follow("n2", NOW.minusSeconds(2), NOW.plusSeconds(6));
		follow("dead", NOW.minusSeconds(1), NOW);
		assertThat(this.recipients.of(List.of(ANNA), NOW))
			.isEqualTo(Map.of(ANNA, new Recipient(ANNA, 42, setting, NOW.minusSeconds(2))));
	}

	@Test
	void knowsMembersOfWhomNothingIsStored() {
		join(ANNA);
		assertThat(this.recipients.of(List.of(ANNA), NOW)).containsEntry(ANNA,
				new Recipient(ANNA, 0, RoomPushSetting.DEFAULT, null));
	}

	@Test
	void countsTheRowsOfServersOfTheVersionBefore() {
		join(ANNA);
		this.nodes.begin("old", NOW.plusSeconds(5));
		this.nodes.renew("old", NOW.minusSeconds(1), NOW.plusSeconds(5));
		this.jdbc.update("INSERT INTO room_presence (node, room_id, username) VALUES ('old', ?, ?)", ANNA.room(),
				ANNA.username());
		assertThat(liveUntil()).isEqualTo(NOW.minusSeconds(1));
		follow("n1", NOW.minusSeconds(2), NOW.plusSeconds(5));
		assertThat(liveUntil()).isEqualTo(NOW.minusSeconds(1));
		follow("n1", NOW, NOW.plusSeconds(5));
		assertThat(liveUntil()).isEqualTo(NOW);
	}

	private @Nullable Instant liveUntil() {
		return this.recipients.of(List.of(ANNA), NOW).values().iterator().next().liveUntil();
	}

	@Test
	void omitsUsersWhoAreNotMembersOfTheRoom() {
		join(ANNA);
		follow("n1", NOW, NOW.plusSeconds(5));
		assertThat(this.recipients.of(List.of(new PushKey("anna", "other"), new PushKey("bert", ANNA.room())), NOW))
			.isEmpty();
	}

	@Test
	void readsManyAtOnce() {
		List<PushKey> keys = IntStream.range(0, 450).mapToObj((i) -> new PushKey("user" + i, "room" + i / 3)).toList();
		keys.forEach(this::join);
		assertThat(this.recipients.of(keys, NOW)).containsOnlyKeys(keys.toArray(PushKey[]::new));
		assertThat(this.recipients.of(List.of(), NOW)).isEmpty();
	}

	private void join(PushKey key) {
		this.members.save(new Member(key.room(), key.username(), RoomRole.MEMBER, NOW));
	}

	private void follow(String node, Instant renewed, Instant until) {
		this.followers.store(node, Map.of(ANNA.username(), Set.of("other", ANNA.room())));
		this.nodes.begin(node, until);
		this.nodes.renew(node, renewed, until);
	}

}
