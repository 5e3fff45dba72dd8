package io.parley.store.thread;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import io.parley.store.StoreTest;
import io.parley.store.UtcTime;
import io.parley.store.event.RoomPosition;
import io.parley.store.thread.ThreadRepository.Place;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what is read of two threads: that of anna's message at 10 has replies at 30, 40
 * and 60, of which 40 was deleted at 70; that at 20 has one at 50. Bert replied to both,
 * cleo to none, and dora has left the room.
 */
@StoreTest
class ThreadRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

	private static final RoomPosition TEN = new RoomPosition("threads", 10);

	private static final RoomPosition TWENTY = new RoomPosition("threads", 20);

	private final ThreadRepository threads;

	private final ThreadMembers members;

	private final JdbcTemplate jdbc;

	ThreadRepositoryTests(ThreadRepository threads, ThreadMembers members, JdbcTemplate jdbc) {
		this.threads = threads;
		this.members = members;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void store() {
		for (String table : List.of("thread_reply", "thread_participant", "thread_member", "message_state",
				"room_event", "room_member")) {
			this.jdbc.update("DELETE FROM " + table);
		}
		List.of("anna", "bert", "cleo")
			.forEach((user) -> this.jdbc.update(
					"INSERT INTO room_member (room_id, username, role, joined_at) VALUES ('threads', ?, 'member', ?)",
					user, UtcTime.of(NOW)));
		reply(10, 30, 1);
		reply(10, 40, 2);
		reply(10, 60, 3);
		reply(20, 50, 1);
		participant(10, "anna", 10);
		participant(20, "anna", 20);
		participant(10, "bert", 60);
		participant(20, "bert", 50);
		participant(10, "dora", 40);
		this.jdbc.update("""
				INSERT INTO message_state (room_id, target, changed, edits, deleted, edited, reply_number,
				replies_deleted, last_reply, repliers) VALUES ('threads', 10, 70, 0, ?, 0, 3, 1, 60, 'bert,dora'),
				('threads', 20, 50, 0, ?, 0, 1, 0, 50, 'bert')""", false, false);
		this.jdbc.update("""
				INSERT INTO message_state (room_id, target, changed, edits, deleted, edited, root)
				VALUES ('threads', 40, 70, 0, ?, 70, 10)""", true);
	}

	@Test
	void whoTakesPartFollowsUntilTheyChooseNotTo() {
		assertThat(follow(TEN)).containsExactlyInAnyOrder("anna", "bert");
		this.members.follow(new ThreadKey(TEN, "cleo"), true, 65);
		this.members.follow(new ThreadKey(TEN, "anna"), false, 65);
		this.members.follow(new ThreadKey(TEN, "bert"), false, 55);
		assertThat(follow(TEN)).as("bert has replied at 60").containsExactlyInAnyOrder("bert", "cleo");
		this.members.follow(new ThreadKey(TEN, "bert"), false, 60);
		assertThat(follow(TEN)).containsExactly("cleo");
		assertThat(follow(TWENTY)).containsExactlyInAnyOrder("anna", "bert");
		assertThat(this.threads.followedBy("anna", 10)).containsExactly(TWENTY);
		assertThat(this.threads.followedBy("bert", 10)).containsExactly(TWENTY);
		assertThat(this.threads.followedBy("cleo", 10)).containsExactly(TEN);
		assertThat(this.threads.followedBy("dora", 10)).isEmpty();
	}

	private List<String> follow(RoomPosition root) {
		return this.threads.standingsIn(List.of(root))
			.getOrDefault(root, Map.of())
			.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().follows())
			.map(Map.Entry::getKey)
			.toList();
	}

	@Test
	void theNewestThreadsComeFirst() {
		assertThat(this.threads.followedBy("bert", 10)).containsExactly(TEN, TWENTY);
		assertThat(this.threads.followedBy("bert", 1)).containsExactly(TEN);
		RoomPosition other = new RoomPosition("threads", 25);
		this.members.follow(new ThreadKey(other, "bert"), true, 70);
		assertThat(this.threads.followedBy("bert", 10)).as("not one without replies").containsExactly(TEN, TWENTY);
		assertThat(this.threads.followedIn("threads", "bert", 1)).containsExactly(TEN);
		assertThat(this.threads.followedIn("other", "bert", 10)).isEmpty();
	}

	@Test
	void readPositionsNeverMoveBackwards() {
		ThreadKey anna = new ThreadKey(TEN, "anna");
		ThreadKey bert = new ThreadKey(TEN, "bert");
		ThreadKey cleo = new ThreadKey(TEN, "cleo");
		this.members.read(List.of(anna, bert), 30);
		this.members.read(List.of(anna), 40);
		this.members.read(List.of(anna), 35);
		this.members.follow(cleo, true, 45);
		Map<ThreadKey, ThreadStanding> standings = this.threads
			.of(List.of(anna, bert, cleo, new ThreadKey(TEN, "dora")));
		assertThat(standings).hasSize(3)
			.hasEntrySatisfying(anna, (standing) -> assertThat(standing.readTo()).isEqualTo(40))
			.hasEntrySatisfying(bert, (standing) -> assertThat(standing.readTo()).as("the own reply").isEqualTo(60))
			.hasEntrySatisfying(cleo, (standing) -> assertThat(standing.readTo()).isEqualTo(45));
		assertThat(this.threads.of(List.of())).isEmpty();
	}

	@Test
	void countsRepliesByTheirNumbers() {
		List<Place> places = LongStream.of(10, 30, 45, 60, 99)
			.mapToObj((position) -> new Place(TEN, position))
			.toList();
		assertThat(this.threads.numbersAt(places)).isEqualTo(
				Map.of(new Place(TEN, 30), 1L, new Place(TEN, 45), 2L, new Place(TEN, 60), 3L, new Place(TEN, 99), 3L));
		Place all = new Place(TEN, 10);
		Place other = new Place(TWENTY, 20);
		assertThat(this.threads.deletedAfter(Map.of(all, 70L, new Place(TEN, 40), 70L, other, 70L)))
			.isEqualTo(Map.of(all, 1L, new Place(TEN, 40), 0L, other, 0L));
		assertThat(this.threads.deletedAfter(Map.of(all, 69L))).isEqualTo(Map.of(all, 0L));
	}

	@Test
	void pagesReplies() {
		assertThat(this.threads.after(TEN, 0, 2)).containsExactly(30L, 40L);
		assertThat(this.threads.after(TEN, 40, 2)).containsExactly(60L);
		assertThat(this.threads.before(TEN, Long.MAX_VALUE, 2)).containsExactly(40L, 60L);
		assertThat(this.threads.before(TEN, 40, 2)).containsExactly(30L);
		assertThat(this.threads.before(new RoomPosition("other", 10), Long.MAX_VALUE, 2)).isEmpty();
	}

	private void reply(long root, long position, long number) {
		this.jdbc.update("INSERT INTO thread_reply (room_id, root, position, number) VALUES ('threads', ?, ?, ?)", root,
				position, number);
		this.jdbc.update("""
				INSERT INTO room_event (room_id, position, prev, number, type, event_id, sender, client_id, sent_at,
				thread, body) VALUES ('threads', ?, 0, 2, 'thread.posted', ?, 'bert', ?, ?, ?, '}')""", position,
				"id" + position, "c" + position, UtcTime.of(NOW.plusSeconds(position)), root);
	}

	private void participant(long root, String username, long position) {
		this.jdbc.update(
				"INSERT INTO thread_participant (room_id, root, username, position) VALUES ('threads', ?, ?, ?)", root,
				username, position);
	}

}
