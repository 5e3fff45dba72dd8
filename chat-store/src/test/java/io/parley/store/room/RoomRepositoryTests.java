package io.parley.store.room;

import java.time.Instant;
import java.util.List;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.domain.Limit;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@StoreTest
class RoomRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final JdbcTemplate jdbc;

	RoomRepositoryTests(RoomRepository rooms, MemberRepository members, JdbcTemplate jdbc) {
		this.rooms = rooms;
		this.members = members;
		this.jdbc = jdbc;
	}

	@Test
	void storesTheKindInLowerCase() {
		this.rooms.save(new Room("kinds", "Kinds", RoomKind.CHANNEL, null, 0, null, "anna", NOW, true));
		assertThat(this.jdbc.queryForObject("SELECT kind FROM room WHERE id = 'kinds'", String.class))
			.isEqualTo("channel");
		assertThat(this.rooms.findById("kinds")).get().extracting(Room::getKind).isEqualTo(RoomKind.CHANNEL);
	}

	@Test
	void createsADirectRoomOnce() {
		this.rooms.save(new Room("d1", "", RoomKind.DIRECT, 2, 2, "anna bert", "anna", NOW, true));
		assertThatExceptionOfType(DataIntegrityViolationException.class).isThrownBy(
				() -> this.rooms.save(new Room("d2", "", RoomKind.DIRECT, 2, 2, "anna bert", "bert", NOW, true)));
		assertThat(this.rooms.findByDirectKey("anna bert")).get().extracting(Room::getId).isEqualTo("d1");
	}

	@Test
	void changesTheSettings() {
		this.rooms.save(new Room("set", "Before", RoomKind.GROUP, null, 0, null, "anna", NOW, true));
		RoomSettings settings = new RoomSettings("After \ud83d\ude00", "A topic", 30, true);
		assertThat(this.rooms.settingsOf("set")).contains(new RoomSettings("Before", "", 0, false));
		assertThat(this.rooms.change("set", settings)).isEqualTo(1);
		assertThat(this.rooms.settingsOf("set")).contains(settings);
		assertThat(this.rooms.findById("set").orElseThrow().settings()).isEqualTo(settings);
		assertThat(this.rooms.change("missing", settings)).isZero();
		assertThat(this.rooms.settingsOf("missing")).isEmpty();
		this.members.save(new Member("set", "anna", RoomRole.OWNER, NOW));
		assertThat(this.members.standingOf("set", "anna"))
			.contains(new Standing("anna", RoomRole.OWNER, null, 30, true));
	}

	@Test
	void membersPinInADirectRoom() {
		this.rooms.save(new Room("d9", "", RoomKind.DIRECT, 2, 1, "dora emil", "dora", NOW, true));
		this.members.save(new Member("d9", "dora", RoomRole.MEMBER, NOW));
		assertThat(this.members.standingOf("d9", "dora")).get().extracting(Standing::memberPins).isEqualTo(true);
		assertThat(this.rooms.findById("d9").orElseThrow().isMemberPins()).isTrue();
	}

	@Test
	void neverCountsBelowZero() {
		this.rooms.save(new Room("tiny", "Tiny", RoomKind.GROUP, 1, 0, null, "anna", NOW, true));
		this.rooms.addToMemberCount("tiny", 1);
		assertThat(this.rooms.lockPlaces("tiny")).contains(new Places(1, 1));
		assertThat(this.rooms.decrementMemberCount("tiny")).isEqualTo(1);
		assertThat(this.rooms.decrementMemberCount("tiny")).isZero();
		assertThat(this.rooms.lockPlaces("none")).isEmpty();
	}

	@Test
	void pagesTheMembersByUsername() {
		List.of("cleo", "anna", "bert", "Zoe")
			.forEach((user) -> this.members.save(new Member("paged", user, RoomRole.MEMBER, NOW)));
		assertThat(this.members.usernamesOf("paged", "", Limit.of(2))).containsExactly("Zoe", "anna");
		assertThat(this.members.usernamesOf("paged", "anna", Limit.of(2))).containsExactly("bert", "cleo");
		assertThat(this.members.usernamesOf("paged", "cleo", Limit.of(2))).isEmpty();
	}

	@Test
	void listsTheRoomsOfAUser() {
		for (String room : List.of("r2", "r1", "r3")) {
			this.rooms.save(new Room(room, room, RoomKind.GROUP, null, 1, null, "hugo", NOW, true));
		}
		this.members.save(new Member("r1", "hugo", RoomRole.MEMBER, NOW));
		this.members.save(new Member("r2", "hugo", RoomRole.MEMBER, NOW));
		assertThat(this.members.roomsOf("hugo")).extracting(Room::getId).containsExactly("r1", "r2");
		assertThat(this.members.remove("r1", "hugo")).isEqualTo(1);
		assertThat(this.members.remove("r1", "hugo")).isZero();
		assertThat(this.members.roomsOf("hugo")).extracting(Room::getId).containsExactly("r2");
	}

}
