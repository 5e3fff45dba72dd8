package io.parley.store.presence;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.presence.RoomPresence.Follower;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class RoomPresenceTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");

	private static final Duration LEASE = Duration.ofSeconds(10);

	private static final List<String> ALL = List.of("anna", "bert", "cleo", "dora");

	private final RoomPresence followers;

	private final NodePresence nodes;

	private final JdbcTemplate jdbc;

	RoomPresenceTests(RoomPresence followers, NodePresence nodes, JdbcTemplate jdbc) {
		this.followers = followers;
		this.nodes = nodes;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		for (String node : List.of("n1", "n2")) {
			clear(node);
			this.jdbc.update("DELETE FROM node_lease WHERE node = ?", node);
		}
	}

	@Test
	void findsTheFollowersOfARoom() {
		renew("n1", NOW);
		this.followers.enter("n1", in("r", "anna", "bert"));
		this.followers.enter("n1", in("r", "bert", "cleo"));
		this.followers.enter("n1", in("other", "dora"));
		this.followers.leave("n1", in("r", "anna"));
		this.followers.leave("n1", in("other", "bert"));
		assertThat(this.followers.followersAmong("r", ALL, NOW)).containsOnlyKeys("bert", "cleo")
			.containsEntry("bert", NOW);
		assertThat(this.followers.followersAmong("r", List.of("cleo"), NOW)).containsOnlyKeys("cleo");
	}

	@Test
	void findsTheFollowersOfManyRooms() {
		renew("n1", NOW);
		renew("n2", NOW.minus(LEASE));
		List<Follower> all = IntStream.range(0, 450).mapToObj((i) -> new Follower("room" + i, "anna")).toList();
		this.followers.enter("n1", all);
		this.followers.enter("n1", in("r", "bert"));
		this.followers.enter("n2", in("r", "cleo"));
		List<String> rooms = new ArrayList<>(all.stream().map(Follower::room).toList());
		rooms.add("r");
		rooms.add("empty");
		assertThat(this.followers.followersOf(rooms, NOW)).hasSize(451)
			.containsEntry(new Follower("room449", "anna"), NOW)
			.containsEntry(new Follower("r", "bert"), NOW)
			.doesNotContainKey(new Follower("r", "cleo"));
	}

	@Test
	void findsFollowersBetweenTwoNames() {
		renew("n1", NOW);
		this.followers.enter("n1", in("r", "anna", "bert", "cleo", "dora"));
		this.followers.enter("n1", in("other", "carl"));
		assertThat(this.followers.followersBetween("r", "bert", "cleo", NOW))
			.isEqualTo(Map.of("bert", NOW, "cleo", NOW));
		assertThat(this.followers.followersBetween("r", "c", "cz", NOW)).containsOnlyKeys("cleo");
	}

	@Test
	void returnsTheLatestRenewalOfTheNodesOfEachFollower() {
		renew("n1", NOW);
		renew("n2", NOW.plusSeconds(2));
		this.followers.enter("n1", in("r", "anna", "bert"));
		this.followers.enter("n2", in("r", "bert"));
		assertThat(this.followers.followersAmong("r", ALL, NOW.plusSeconds(3))).hasSize(2)
			.containsEntry("anna", NOW)
			.containsEntry("bert", NOW.plusSeconds(2));
	}

	@Test
	void ignoresANodeWithAnExpiredLeaseUntilItRenews() {
		renew("n1", NOW);
		this.followers.enter("n1", in("r", "anna"));
		assertThat(this.followers.followersAmong("r", ALL, NOW.plus(LEASE))).isEmpty();
		renew("n1", NOW.plus(LEASE));
		assertThat(this.followers.followersAmong("r", ALL, NOW.plus(LEASE))).containsOnlyKeys("anna");
	}

	@Test
	void doesNotTrustANodeOfAnOlderVersion() {
		renew("n1", NOW);
		this.followers.enter("n1", in("r", "anna"));
		this.jdbc.update("UPDATE node_lease SET renewed_at = NULL WHERE node = 'n1'");
		assertThat(this.followers.followersAmong("r", ALL, NOW)).isEmpty();
	}

	@Test
	void keepsAFollowerOfAnotherNode() {
		for (String node : List.of("n1", "n2")) {
			renew(node, NOW);
			this.followers.enter(node, in("r", "anna"));
		}
		clear("n1");
		assertThat(this.followers.followersAmong("r", ALL, NOW)).containsOnlyKeys("anna");
		this.followers.leave("n2", in("r", "anna"));
		assertThat(this.followers.followersAmong("r", ALL, NOW)).isEmpty();
	}

	@Test
	void handlesMoreUsersThanFitIntoOneStatement() {
		String[] users = IntStream.range(0, 1000).mapToObj((i) -> "user" + i).toArray(String[]::new);
		renew("n1", NOW);
		this.followers.enter("n1", in("r", users));
		this.followers.enter("n1", in("r", users));
		assertThat(this.followers.followersAmong("r", List.of(users), NOW)).hasSize(1000);
		this.followers.leave("n1", in("r", users));
		assertThat(this.followers.followersAmong("r", List.of(users), NOW)).isEmpty();
	}

	@Test
	void removesMoreRowsThanOneStatementRemoves() {
		String[] users = IntStream.range(0, 2_500).mapToObj((i) -> "user" + i).toArray(String[]::new);
		this.followers.enter("n1", in("r", users));
		this.followers.enter("n2", in("r", "anna"));
		clear("n1");
		assertThat(this.jdbc.queryForList("SELECT username FROM room_presence WHERE room_id = 'r'", String.class))
			.containsExactly("anna");
	}

	private void clear(String node) {
		while (this.followers.clearSome(node)) {
			assertThat(
					this.jdbc.queryForObject("SELECT COUNT(*) FROM room_presence WHERE node = ?", Integer.class, node))
				.as("only a part is removed at once")
				.isPositive();
		}
	}

	private void renew(String node, Instant now) {
		this.nodes.begin(node, now.plus(LEASE));
		this.nodes.renew(node, now, now.plus(LEASE));
	}

	private static List<Follower> in(String room, String... usernames) {
		return Arrays.stream(usernames).map((username) -> new Follower(room, username)).toList();
	}

}
