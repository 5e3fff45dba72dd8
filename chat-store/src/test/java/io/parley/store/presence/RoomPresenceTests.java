package io.parley.store.presence;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.Threads;
import io.parley.store.presence.RoomPresence.Follower;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class RoomPresenceTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");

	private static final Duration LEASE = Duration.ofSeconds(10);

	private static final List<String> ALL = List.of("anna", "bert", "cleo", "dora");

	private final RoomPresence followers;

	private final NodePresence nodes;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	RoomPresenceTests(RoomPresence followers, NodePresence nodes, TransactionTemplate transaction, JdbcTemplate jdbc) {
		this.followers = followers;
		this.nodes = nodes;
		this.transaction = transaction;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		for (String table : List.of("followed_rooms", "room_presence", "node_lease", "room_member")) {
			this.jdbc.update("DELETE FROM " + table);
		}
		renew("n1", NOW);
		join("r", ALL);
	}

	@Test
	void findsTheFollowersOfARoom() {
		follow("n1", Map.of("anna", Set.of("r"), "bert", Set.of("r", "other")));
		follow("n1", Map.of("anna", Set.of(), "cleo", Set.of("other", "r"), "dora", Set.of("other")));
		follow("n1", Map.of("stranger", Set.of("r")));
		assertThat(this.followers.followersAmong("r", ALL, NOW)).isEqualTo(Map.of("bert", NOW, "cleo", NOW));
		assertThat(this.followers.followersAmong("r", List.of("cleo", "stranger"), NOW)).containsOnlyKeys("cleo");
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM followed_rooms", Integer.class))
			.as("one row for each user who follows any room")
			.isEqualTo(4);
	}

	@Test
	void storesAndRemovesUsersWhileAnotherNodeDoes() {
		Map<String, Set<String>> users = IntStream.range(0, 150)
			.boxed()
			.collect(Collectors.toMap((i) -> "user" + i, (i) -> Set.of("r")));
		follow("n1", users);
		follow("n2", users);
		this.transaction.executeWithoutResult((status) -> {
			follow("n1", users);
			Threads.runElsewhere(() -> follow("n2", users));
			assertThat(Threads.elsewhere(() -> this.followers.clearSome("n2"))).isFalse();
		});
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM followed_rooms", Integer.class)).isEqualTo(150);
	}

	@Test
	void tellsIdsApartThatContainEachOther() {
		join("R", ALL);
		join("room", ALL);
		join("r_om", ALL);
		follow("n1", Map.of("anna", Set.of("room", "rr"), "bert", Set.of("R"), "cleo", Set.of("r_om")));
		assertThat(this.followers.followersAmong("r", ALL, NOW)).isEmpty();
		assertThat(this.followers.followersAmong("room", ALL, NOW)).containsOnlyKeys("anna");
		assertThat(this.followers.followersAmong("R", ALL, NOW)).containsOnlyKeys("bert");
		assertThat(this.followers.followersAmong("r_om", ALL, NOW)).containsOnlyKeys("cleo");
	}

	@Test
	void findsTheFollowersOfManyRooms() {
		renew("n2", NOW.minus(LEASE));
		List<String> rooms = new ArrayList<>(IntStream.range(0, 450).mapToObj((i) -> "room" + i).toList());
		rooms.forEach((room) -> join(room, List.of("anna")));
		follow("n1", Map.of("anna", Set.copyOf(rooms), "bert", Set.of("r")));
		follow("n2", Map.of("cleo", Set.of("r")));
		rooms.add("r");
		rooms.add("empty");
		assertThat(this.followers.followersOf(rooms, NOW)).hasSize(451)
			.containsEntry(new Follower("room449", "anna"), NOW)
			.containsEntry(new Follower("r", "bert"), NOW)
			.doesNotContainKey(new Follower("r", "cleo"));
	}

	@Test
	void findsFollowersBetweenTwoNames() {
		join("other", List.of("carl"));
		follow("n1", rooms(ALL, "r"));
		follow("n1", Map.of("carl", Set.of("other")));
		assertThat(this.followers.followersBetween("r", "bert", "cleo", NOW))
			.isEqualTo(Map.of("bert", NOW, "cleo", NOW));
		assertThat(this.followers.followersBetween("r", "c", "cz", NOW)).containsOnlyKeys("cleo");
	}

	@Test
	void returnsTheLatestRenewalOfTheNodesOfEachFollower() {
		renew("n2", NOW.plusSeconds(2));
		follow("n1", rooms(List.of("anna", "bert"), "r"));
		follow("n2", rooms(List.of("bert"), "r"));
		assertThat(this.followers.followersAmong("r", ALL, NOW.plusSeconds(3)))
			.isEqualTo(Map.of("anna", NOW, "bert", NOW.plusSeconds(2)));
	}

	@Test
	void countsTheRowsOfServersOfTheVersionBefore() {
		renew("old", NOW.plusSeconds(2));
		for (String user : List.of("anna", "bert")) {
			this.jdbc.update("INSERT INTO room_presence (node, room_id, username) VALUES ('old', 'r', ?)", user);
		}
		follow("n1", rooms(List.of("bert", "cleo"), "r"));
		Map<String, Instant> expected = Map.of("anna", NOW.plusSeconds(2), "bert", NOW.plusSeconds(2), "cleo", NOW);
		assertThat(this.followers.followersAmong("r", ALL, NOW)).isEqualTo(expected);
		assertThat(this.followers.followersBetween("r", "anna", "dora", NOW)).isEqualTo(expected);
		assertThat(this.followers.followersOf(List.of("r"), NOW)).hasSize(3);
		clear("old");
		assertThat(this.followers.followersAmong("r", ALL, NOW)).containsOnlyKeys("bert", "cleo");
	}

	@Test
	void ignoresANodeWithAnExpiredLeaseUntilItRenews() {
		follow("n1", rooms(List.of("anna"), "r"));
		assertThat(this.followers.followersAmong("r", ALL, NOW.plus(LEASE))).isEmpty();
		renew("n1", NOW.plus(LEASE));
		assertThat(this.followers.followersAmong("r", ALL, NOW.plus(LEASE))).containsOnlyKeys("anna");
	}

	@Test
	void doesNotTrustANodeThatHasNotConfirmedItsRows() {
		follow("n1", rooms(List.of("anna"), "r"));
		this.jdbc.update("UPDATE node_lease SET renewed_at = NULL WHERE node = 'n1'");
		assertThat(this.followers.followersAmong("r", ALL, NOW)).isEmpty();
	}

	@Test
	void keepsAFollowerOfAnotherNode() {
		for (String node : List.of("n1", "n2")) {
			renew(node, NOW);
			follow(node, rooms(List.of("anna"), "r"));
		}
		clear("n1");
		assertThat(this.followers.followersAmong("r", ALL, NOW)).containsOnlyKeys("anna");
		follow("n2", Map.of("anna", Set.of()));
		assertThat(this.followers.followersAmong("r", ALL, NOW)).isEmpty();
	}

	@Test
	void handlesMoreUsersThanFitIntoOneStatement() {
		List<String> users = IntStream.range(0, 1000).mapToObj((i) -> "user" + i).toList();
		join("r", users);
		follow("n1", rooms(users, "r"));
		follow("n1", rooms(users, "r"));
		assertThat(this.followers.followersAmong("r", users, NOW)).hasSize(1000);
		follow("n1", users.stream().collect(Collectors.toMap((user) -> user, (user) -> Set.of())));
		assertThat(this.followers.followersAmong("r", users, NOW)).isEmpty();
	}

	@Test
	void removesMoreRowsThanOneStatementRemoves() {
		follow("n1", rooms(IntStream.range(0, 2_500).mapToObj((i) -> "user" + i).toList(), "r"));
		follow("n2", rooms(List.of("anna"), "r"));
		clear("n1");
		assertThat(this.jdbc.queryForList("SELECT username FROM followed_rooms", String.class)).containsExactly("anna");
	}

	private void clear(String node) {
		while (this.followers.clearSome(node)) {
			assertThat(
					this.jdbc.queryForObject("SELECT COUNT(*) FROM followed_rooms WHERE node = ?", Integer.class, node))
				.as("only a part is removed at once")
				.isPositive();
		}
	}

	private void renew(String node, Instant now) {
		this.nodes.begin(node, now.plus(LEASE));
		this.nodes.renew(node, now, now.plus(LEASE));
	}

	private void join(String room, List<String> users) {
		this.jdbc.batchUpdate("INSERT INTO room_member (room_id, username, joined_at) VALUES (?, ?, CURRENT_TIMESTAMP)",
				users.stream().map((user) -> new Object[] { room, user }).toList());
	}

	private void follow(String node, Map<String, Set<String>> roomsOfUsers) {
		this.followers.store(node, roomsOfUsers);
	}

	private static Map<String, Set<String>> rooms(List<String> users, String room) {
		return users.stream().collect(Collectors.toMap((user) -> user, (user) -> Set.of(room)));
	}

}
