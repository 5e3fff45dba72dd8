package io.parley.store.room;

import java.time.Instant;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.Threads;
import io.parley.store.room.Memberships.Departure;
import io.parley.store.room.Memberships.Joining;
import org.junit.jupiter.api.Test;

import org.springframework.data.domain.Limit;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class MembershipsTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private static final int THREADS = 64;

	/** The number of attempts to provoke a race between two users. */
	private static final int ROUNDS = Boolean.getBoolean("parley.test.full-size") ? 100 : 20;

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final Memberships memberships;

	private final UnconfirmedChanges changes;

	private final RoomRoleRepository roles;

	MembershipsTests(RoomRepository rooms, MemberRepository members, Memberships memberships,
			UnconfirmedChanges changes, RoomRoleRepository roles) {
		this.rooms = rooms;
		this.members = members;
		this.memberships = memberships;
		this.changes = changes;
		this.roles = roles;
	}

	@Test
	void neverExceedsTheCapacityWhenManyJoinAtOnce() {
		room("crowded", 20);
		List<Joining> joined = atOnce((thread) -> this.memberships.join("crowded", "user" + thread, NOW));
		assertThat(joined).filteredOn(Joining.JOINED::equals).hasSize(20);
		assertThat(joined).filteredOn(Joining.FULL_OR_ABSENT::equals).hasSize(THREADS - 20);
		assertConsistent("crowded", 20);
	}

	@Test
	void countsAUserWhoJoinsConcurrentlyOnce() {
		room("eager", 20);
		List<Joining> joined = atOnce((thread) -> this.memberships.join("eager", "user" + thread % 4, NOW));
		assertThat(joined).filteredOn(Joining.JOINED::equals).hasSize(4);
		assertThat(joined).filteredOn(Joining.ALREADY_MEMBER::equals).hasSize(THREADS - 4);
		assertConsistent("eager", 4);
	}

	@Test
	void reportsMembershipToRepeatedJoinsForTheLastPlace() {
		room("last", 1);
		List<Joining> joined = atOnce((thread) -> this.memberships.join("last", "user" + thread % 2, NOW));
		assertThat(joined).filteredOn(Joining.JOINED::equals).hasSize(1);
		assertThat(joined).filteredOn(Joining.ALREADY_MEMBER::equals).hasSize(THREADS / 2 - 1);
		assertThat(joined).filteredOn(Joining.FULL_OR_ABSENT::equals).hasSize(THREADS / 2);
		assertConsistent("last", 1);
	}

	@Test
	void joinsManyAtOnce() {
		room("packed", 5);
		this.memberships.remove("packed", "bert", "anna", NOW);
		this.memberships.join("packed", "yann", NOW);
		this.memberships.join("packed", "zoe", NOW);
		this.roles.change("packed", "zoe", RoomRole.READER);
		this.memberships.leave("packed", "zoe", NOW);
		this.memberships.leave("packed", "yann", NOW);
		List<String> users = List.of("anna", "bert", "anna", "zoe", "cleo", "dora", "emil", "fred", "cleo");
		assertThat(this.memberships.joinAll("packed", users, NOW)).containsExactly(Joining.JOINED, Joining.BANNED,
				Joining.ALREADY_MEMBER, Joining.JOINED, Joining.JOINED, Joining.JOINED, Joining.JOINED,
				Joining.FULL_OR_ABSENT, Joining.ALREADY_MEMBER);
		assertConsistent("packed", 5);
		assertThat(this.roles.roleOf("packed", "anna")).isEqualTo(RoomRole.OWNER);
		assertThat(this.roles.roleOf("packed", "zoe")).isEqualTo(RoomRole.READER);
		assertThat(this.roles.roleOf("packed", "cleo")).isEqualTo(RoomRole.MEMBER);
	}

	@Test
	void neverExceedsTheCapacityWhenGroupsJoinAtOnce() {
		room("groups", 50);
		atOnce((thread) -> this.memberships.joinAll("groups",
				IntStream.range(thread, thread + 10).mapToObj((user) -> "user" + user).toList(), NOW));
		assertConsistent("groups", 50);
		assertOneOwner("groups");
	}

	@Test
	void countsMembersCorrectlyAfterConcurrentJoinsAndLeaves() {
		room("storm", 5);
		for (int round = 0; round < 3; round++) {
			atOnce((thread) -> (thread % 3 == 0) ? this.memberships.leave("storm", "user" + thread % 8, NOW)
					: this.memberships.join("storm", "user" + thread % 8, NOW));
			int left = this.members.usernamesOf("storm", "", Limit.of(100)).size();
			assertThat(left).isLessThanOrEqualTo(5);
			assertConsistent("storm", left);
		}
	}

	@Test
	void countsMembersCorrectlyWhenTheFirstOneLeavesWhileJoining() {
		for (int round = 0; round < ROUNDS; round++) {
			String room = "first" + round;
			room(room, 5);
			Threads.atOnce(8, (thread) -> (thread % 2 == 0) ? this.memberships.leave(room, "bert", NOW)
					: this.memberships.join(room, "bert", NOW));
			assertConsistent(room, this.members.usernamesOf(room, "", Limit.of(100)).size());
		}
	}

	@Test
	void losesNoPlaceWhenManyJoinAndLeaveAtOnce() {
		room("busy", 10);
		atOnce((thread) -> {
			String user = "user" + thread % 16;
			this.memberships.join("busy", user, NOW);
			return this.memberships.leave("busy", user, NOW);
		});
		assertConsistent("busy", this.members.usernamesOf("busy", "", Limit.of(100)).size());
		assertThat(this.rooms.findById("busy")).get().extracting(Room::getMemberCount).isEqualTo(0);
	}

	@Test
	void leavesOnce() {
		room("left", null);
		this.memberships.join("left", "anna", NOW);
		this.memberships.join("left", "bert", NOW);
		assertThat(this.memberships.leave("left", "anna", NOW).left()).isTrue();
		assertThat(this.memberships.leave("left", "anna", NOW).left()).isFalse();
		assertConsistent("left", 1);
	}

	@Test
	void refusesARoomThatIsNotThere() {
		assertThat(this.memberships.join("nowhere", "anna", NOW)).isEqualTo(Joining.FULL_OR_ABSENT);
		assertThat(this.members.existsByRoomIdAndUsername("nowhere", "anna")).isFalse();
	}

	@Test
	void keepsARemovedUserOutUntilReadmitted() {
		room("banned", null);
		this.memberships.join("banned", "bert", NOW);
		assertThat(this.memberships.remove("banned", "bert", "anna", NOW).left()).isTrue();
		assertThat(this.memberships.join("banned", "bert", NOW)).isEqualTo(Joining.BANNED);
		assertThat(this.memberships.remove("banned", "bert", "anna", NOW).left()).isFalse();
		assertThat(this.memberships.readmit("banned", "bert", NOW)).isEqualTo(Joining.READMITTED);
		assertThat(this.memberships.readmit("banned", "bert", NOW)).isEqualTo(Joining.ALREADY_MEMBER);
		assertThat(this.memberships.leave("banned", "bert", NOW).left()).isTrue();
		assertThat(this.memberships.join("banned", "bert", NOW)).isEqualTo(Joining.JOINED);
		assertConsistent("banned", 1);
	}

	@Test
	void keepsAUserOutWhoWasRemovedAfterLeaving() {
		room("gone", null);
		assertThat(this.memberships.remove("gone", "bert", "anna", NOW).left()).isFalse();
		assertThat(this.memberships.join("gone", "bert", NOW)).isEqualTo(Joining.BANNED);
	}

	@Test
	void keepsABanWhenTheRoomIsFull() {
		room("narrow", 1);
		this.memberships.join("narrow", "bert", NOW);
		this.memberships.remove("narrow", "bert", "anna", NOW);
		this.memberships.join("narrow", "cleo", NOW);
		assertThat(this.memberships.join("narrow", "bert", NOW)).isEqualTo(Joining.BANNED);
		assertThat(this.memberships.readmit("narrow", "bert", NOW)).isEqualTo(Joining.FULL_OR_ABSENT);
		this.memberships.leave("narrow", "cleo", NOW);
		assertThat(this.memberships.join("narrow", "bert", NOW)).isEqualTo(Joining.BANNED);
	}

	@Test
	void refusesAJoinDuringARemoval() {
		room("race", null);
		this.memberships.join("race", "anna", NOW);
		atOnce((thread) -> (thread % 4 == 0) ? this.memberships.remove("race", "bert", "anna", NOW)
				: this.memberships.join("race", "bert", NOW));
		assertThat(this.memberships.join("race", "bert", NOW)).isEqualTo(Joining.BANNED);
		assertConsistent("race", 1);
	}

	@Test
	void refusesAJoinDuringARemovalFromAnEmptyRoom() {
		for (int round = 0; round < ROUNDS; round++) {
			String room = "raceInEmpty" + round;
			room(room, 5);
			Threads.atOnce(8, (thread) -> (thread % 2 == 0) ? this.memberships.remove(room, "bert", "anna", NOW)
					: this.memberships.join(room, "bert", NOW));
			assertThat(this.memberships.join(room, "bert", NOW)).isEqualTo(Joining.BANNED);
			assertConsistent(room, 0);
		}
	}

	@Test
	void recordsALeaveUntilTheLogConfirmsIt() {
		room("noted", null);
		this.memberships.join("noted", "bert", NOW);
		this.memberships.leave("noted", "bert", NOW);
		assertThat(this.changes.contains("noted", "bert", UnconfirmedChanges.Kind.LEFT)).isTrue();
		assertThat(this.memberships.leave("noted", "cleo", NOW).left()).isFalse();
		assertThat(this.changes.contains("noted", "cleo", UnconfirmedChanges.Kind.LEFT)).isFalse();
	}

	@Test
	void undoesARemovalWithItsBanAndItsPendingChange() {
		room("undone", null);
		this.memberships.join("undone", "bert", NOW);
		Departure removed = this.memberships.remove("undone", "bert", "anna", NOW);
		assertThat(this.memberships.undoLeave("undone", "bert", removed, NOW)).isTrue();
		assertThat(this.changes.contains("undone", "bert", UnconfirmedChanges.Kind.LEFT)).isFalse();
		assertConsistent("undone", 1);
		this.memberships.leave("undone", "bert", NOW);
		assertThat(this.memberships.join("undone", "bert", NOW)).isEqualTo(Joining.JOINED);
	}

	@Test
	void doesNotUndoALeaveWhenTheRoomIsFullAgain() {
		room("taken", 1);
		this.memberships.join("taken", "bert", NOW);
		Departure removed = this.memberships.remove("taken", "bert", "anna", NOW);
		this.memberships.join("taken", "cleo", NOW);
		assertThat(this.memberships.undoLeave("taken", "bert", removed, NOW)).isFalse();
		assertThat(this.changes.contains("taken", "bert", UnconfirmedChanges.Kind.LEFT)).isTrue();
		assertThat(this.memberships.join("taken", "bert", NOW)).isEqualTo(Joining.BANNED);
		assertConsistent("taken", 1);
	}

	@Test
	void undoesAJoinAndRestoresTheBanThatItLifted() {
		room("unjoined", null);
		this.memberships.remove("unjoined", "bert", "anna", NOW);
		Joining joining = this.memberships.readmit("unjoined", "bert", NOW);
		this.memberships.undoJoin("unjoined", "bert", joining, "anna", NOW);
		assertThat(this.memberships.join("unjoined", "bert", NOW)).isEqualTo(Joining.BANNED);
		assertConsistent("unjoined", 0);
	}

	@Test
	void makeTheFirstMemberOfAnEmptyRoomItsOwner() {
		room("owned", null);
		List<Joining> joined = atOnce((thread) -> this.memberships.join("owned", "user" + thread, NOW));
		assertThat(joined).containsOnly(Joining.JOINED);
		assertOneOwner("owned");
	}

	@Test
	void keepOneOwnerWhenManyJoinAndLeaveAtOnce() {
		room("passed", null);
		for (int round = 0; round < 5; round++) {
			atOnce((thread) -> (thread % 3 == 0) ? this.memberships.leave("passed", "user" + thread % 8, NOW)
					: this.memberships.join("passed", "user" + thread % 8, NOW));
			if (!this.members.usernamesOf("passed", "", Limit.of(1)).isEmpty()) {
				assertOneOwner("passed");
			}
		}
	}

	@Test
	void undoTheLeaveOfAnOwner() {
		room("returned", null);
		this.memberships.join("returned", "anna", NOW);
		this.memberships.join("returned", "bert", NOW);
		this.roles.change("returned", "bert", RoomRole.READER);
		Departure left = this.memberships.leave("returned", "anna", NOW);
		assertThat(left.role()).isEqualTo(RoomRole.OWNER);
		assertThat(left.heir()).isEqualTo(new RoomRoleRepository.Heir("bert", RoomRole.READER));
		assertThat(this.memberships.undoLeave("returned", "anna", left, NOW)).isTrue();
		assertThat(this.roles.roleOf("returned", "anna")).isEqualTo(RoomRole.OWNER);
		assertThat(this.roles.roleOf("returned", "bert")).isEqualTo(RoomRole.READER);
		this.memberships.leave("returned", "bert", NOW);
		this.memberships.join("returned", "bert", NOW);
		assertThat(this.roles.roleOf("returned", "bert")).isEqualTo(RoomRole.READER);
	}

	@Test
	void undoTheRemovalOfAModerator() {
		room("kept", null);
		this.memberships.join("kept", "anna", NOW);
		this.memberships.join("kept", "bert", NOW);
		this.roles.change("kept", "bert", RoomRole.MODERATOR);
		Departure removed = this.memberships.remove("kept", "bert", "anna", NOW);
		assertThat(removed.heir()).isNull();
		this.memberships.undoLeave("kept", "bert", removed, NOW);
		assertThat(this.roles.roleOf("kept", "bert")).isEqualTo(RoomRole.MODERATOR);
		assertOneOwner("kept");
	}

	@Test
	void keepTheOwnerWhoHandedTheRoomOnBeforeTheLeaveWasUndone() {
		room("handed", null);
		this.memberships.join("handed", "anna", NOW);
		this.memberships.join("handed", "bert", NOW);
		this.memberships.join("handed", "cleo", NOW);
		Departure left = this.memberships.leave("handed", "anna", NOW);
		this.roles.passOn("handed", "bert");
		this.memberships.undoLeave("handed", "anna", left, NOW);
		assertThat(this.roles.roleOf("handed", "cleo")).isEqualTo(RoomRole.OWNER);
		assertThat(this.roles.roleOf("handed", "anna")).isEqualTo(RoomRole.MEMBER);
		assertOneOwner("handed");
	}

	private void assertOneOwner(String room) {
		assertThat(this.members.standingsOf(room, "", Limit.of(100)))
			.filteredOn((member) -> member.role() == RoomRole.OWNER)
			.hasSize(1);
	}

	private void room(String id, Integer capacity) {
		this.rooms.save(new Room(id, id, RoomKind.GROUP, capacity, 0, null, "anna", NOW, true));
	}

	private void assertConsistent(String room, int count) {
		assertThat(this.rooms.findById(room)).get().extracting(Room::getMemberCount).isEqualTo(count);
		assertThat(this.members.usernamesOf(room, "", Limit.of(100))).hasSize(count);
	}

	private static <T> List<T> atOnce(IntFunction<T> attempt) {
		return Threads.atOnce(THREADS, attempt);
	}

}
