package io.parley.store.presence;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class NodePresenceTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final NodePresence presence;

	private final RoomPresence followers;

	private final JdbcTemplate jdbc;

	NodePresenceTests(NodePresence presence, RoomPresence followers, JdbcTemplate jdbc) {
		this.presence = presence;
		this.followers = followers;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		for (String table : List.of("node_presence", "room_presence", "node_lease")) {
			this.jdbc.update("DELETE FROM " + table);
		}
	}

	@Test
	void findsUsersConnectedToALiveNode() {
		this.presence.begin("n1", NOW.plusSeconds(10));
		this.presence.online("n1", List.of("anna", "bert"));
		this.presence.online("n1", List.of("bert", "cleo"));
		this.presence.offline("n1", List.of("anna"));
		assertThat(this.presence.onlineAmong(List.of("anna", "bert", "cleo", "dora"), NOW))
			.containsExactlyInAnyOrder("bert", "cleo");
	}

	@Test
	void ignoresANodeWithAnExpiredLeaseUntilItRenews() {
		this.presence.begin("n1", NOW);
		this.presence.online("n1", List.of("anna"));
		assertThat(this.presence.onlineAmong(List.of("anna"), NOW)).isEmpty();
		assertThat(this.presence.renew("n1", null, NOW.plusMillis(1))).isTrue();
		assertThat(this.presence.onlineAmong(List.of("anna"), NOW)).containsExactly("anna");
	}

	@Test
	void findsTheOtherLiveNodes() {
		this.presence.begin("n1", NOW.plusSeconds(10));
		this.presence.begin("n2", NOW.plusSeconds(10));
		assertThat(this.presence.otherLiveNodes("n1", NOW)).containsExactly("n2");
		assertThat(this.presence.otherLiveNodes("n1", NOW.plusSeconds(10))).isEmpty();
	}

	@Test
	void keepsAUserOnlineWhoIsStillConnectedToAnotherNode() {
		for (String node : List.of("n1", "n2")) {
			this.presence.begin(node, NOW.plusSeconds(10));
			this.presence.online(node, List.of("anna"));
		}
		this.presence.end("n1");
		assertThat(this.presence.onlineAmong(List.of("anna"), NOW)).containsExactly("anna");
		this.presence.end("n2");
		assertThat(this.presence.onlineAmong(List.of("anna"), NOW)).isEmpty();
	}

	@Test
	void reportsOnlineAndOfflineWhileAUserMovesBetweenNodes() {
		assertThat(this.presence.online("n1", List.of("anna", "bert", "anna"))).containsExactlyInAnyOrder("anna",
				"bert");
		assertThat(this.presence.online("n1", List.of("anna"))).isEmpty();
		assertThat(this.presence.online("n2", List.of("anna", "cleo"))).containsExactly("cleo");
		assertThat(this.presence.offline("n1", List.of("anna", "bert", "dora"))).containsExactly("bert");
		assertThat(this.presence.online("n1", List.of("anna"))).isEmpty();
		assertThat(this.presence.offline("n2", List.of("anna"))).isEmpty();
		assertThat(this.presence.offline("n1", List.of("anna"))).containsExactly("anna");
		assertThat(this.presence.offline("n1", List.of("anna"))).isEmpty();
	}

	@Test
	void reportsNoFollowersBeforeTheFirstRenewal() {
		this.presence.begin("n1", NOW.plusSeconds(10));
		this.followers.enter("n1", List.of(new RoomPresence.Follower("r", "anna")));
		assertThat(this.followers.followersAmong("r", List.of("anna"), NOW)).isEmpty();
		assertThat(this.presence.renew("n1", NOW, NOW.plusSeconds(10))).isTrue();
		assertThat(this.presence.renew("n1", null, NOW.plusSeconds(20))).isTrue();
		assertThat(this.followers.followersAmong("r", List.of("anna"), NOW.plusSeconds(19))).containsEntry("anna", NOW);
		this.presence.begin("n1", NOW.plusSeconds(30));
		assertThat(this.followers.followersAmong("r", List.of("anna"), NOW)).isEmpty();
	}

	@Test
	void removesADeadNodeInBatchesAndReportsWhoIsOffline() {
		List<String> users = IntStream.range(0, 450).mapToObj((i) -> "user" + i).toList();
		this.presence.begin("n1", NOW);
		this.presence.online("n1", users);
		this.followers.enter("n1", users.stream().map((user) -> new RoomPresence.Follower("r", user)).toList());
		this.presence.begin("n2", NOW.plusSeconds(10));
		this.presence.online("n2", List.of("user7"));
		List<String> offline = new ArrayList<>();
		int parts = 0;
		for (boolean more = true; more; parts++) {
			NodePresence.Removed removed = this.presence.remove("n1", NOW);
			assertThat(removed.offline()).hasSizeLessThanOrEqualTo(200);
			offline.addAll(removed.offline());
			more = removed.more();
		}
		assertThat(parts).isGreaterThan(3);
		assertThat(offline).hasSize(449).doesNotHaveDuplicates().doesNotContain("user7");
		assertThat(this.presence.leases()).containsOnlyKeys("n2");
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM room_presence", Integer.class)).isZero();
		assertThat(this.presence.usersOf("n2", "", 10)).containsExactly("user7");
		assertThat(this.presence.renew("n1", NOW, NOW.plusSeconds(10))).as("it must write everything again").isFalse();
	}

	@Test
	void doesNotRemoveANodeThatHasRenewedItsLease() {
		this.presence.begin("n1", NOW);
		this.presence.online("n1", List.of("anna"));
		Instant seen = this.presence.leases().get("n1");
		assertThat(this.presence.renew("n1", NOW, NOW.plusSeconds(10))).isTrue();
		assertThat(this.presence.remove("n1", seen)).isEqualTo(new NodePresence.Removed(List.of(), false));
		assertThat(this.presence.usersOf("n1", "", 10)).containsExactly("anna");
	}

	@Test
	void doesNotRenewTheLeaseOfANodeThatIsBeingRemoved() {
		this.presence.begin("n1", NOW);
		this.presence.online("n1", List.of("anna"));
		assertThat(this.presence.remove("n1", NOW).offline()).containsExactly("anna");
		assertThat(this.presence.renew("n1", NOW, NOW.plusSeconds(10))).isFalse();
		this.presence.begin("n1", NOW.plusSeconds(10));
		assertThat(this.presence.online("n1", List.of("anna"))).containsExactly("anna");
		assertThat(this.presence.remove("n1", NOW).more()).isFalse();
		assertThat(this.presence.onlineAmong(List.of("anna"), NOW)).containsExactly("anna");
	}

	@Test
	void returnsTheUsersOfANodeInPages() {
		this.presence.online("n1", List.of("cleo", "anna", "bert"));
		assertThat(this.presence.usersOf("n1", "", 2)).containsExactly("anna", "bert");
		assertThat(this.presence.usersOf("n1", "bert", 2)).containsExactly("cleo");
		assertThat(this.presence.usersOf("n2", "", 2)).isEmpty();
	}

	@Test
	void handlesMoreUsersThanFitIntoOneStatement() {
		List<String> users = IntStream.range(0, 1000).mapToObj((i) -> "user" + i).toList();
		this.presence.begin("n1", NOW.plusSeconds(10));
		this.presence.online("n1", users);
		assertThat(this.presence.onlineAmong(users, NOW)).hasSize(1000);
		this.presence.offline("n1", users);
		assertThat(this.presence.onlineAmong(users, NOW)).isEmpty();
	}

}
