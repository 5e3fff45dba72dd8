package io.parley.store.room;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

@StoreTest
class RoomMembersTests {

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final RoomMembers roomMembers;

	RoomMembersTests(RoomRepository rooms, MemberRepository members, RoomMembers roomMembers) {
		this.rooms = rooms;
		this.members = members;
		this.roomMembers = roomMembers;
	}

	@Test
	void areReadOfManyRooms() {
		// More than one statement takes.
		List<String> rooms = IntStream.range(0, 300).mapToObj((i) -> "many" + i).toList();
		rooms.forEach((room) -> room(room, "anna", "user-of-" + room));
		assertThat(this.roomMembers.counts(rooms)).hasSize(300).containsEntry("many299", 2);
		assertThat(this.roomMembers.usernames(rooms)).hasSize(300)
			.allSatisfy(
					(room, usernames) -> assertThat(usernames).containsExactlyInAnyOrder("anna", "user-of-" + room));
	}

	@Test
	void areNotThereOfRoomsThatAreNotThere() {
		room("alone");
		List<String> rooms = List.of("alone", "absent", "Alone");
		assertThat(this.roomMembers.counts(rooms)).containsExactly(entry("alone", 0));
		assertThat(this.roomMembers.usernames(rooms)).isEmpty();
		assertThat(this.roomMembers.counts(List.of())).isEmpty();
		assertThat(this.roomMembers.usernames(List.of())).isEmpty();
	}

	private void room(String id, String... usernames) {
		this.rooms
			.save(new Room(id, "Room", RoomKind.GROUP, null, usernames.length, null, "anna", Instant.now(), true));
		this.members.saveAll(List.of(usernames)
			.stream()
			.map((username) -> new Member(id, username, RoomRole.MEMBER, Instant.now()))
			.toList());
	}

}
