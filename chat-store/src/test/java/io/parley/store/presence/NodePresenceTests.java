package io.parley.store.presence;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
		for (String table : List.of("node_presence", "followed_rooms", "node_lease", "room_member")) {
			this.jdbc.update("DELETE FROM " + table);
		}
	}

	private Set<String> online(String node, Collection<String> users) {
		return this.presence
			.online(node, users.stream().distinct().collect(Collectors.toMap((user) -> user, (user) -> false)))
			.keySet();
	}

	private Map<String, PresenceState> online(String node, String user, boolean away) {
		return this.presence.online(node, Map.of(user, away));
	}

	private Set<String> offline(String node, Collection<String> users) {
		Map<String, PresenceState> changed = this.presence.offline(node, users);
		assertThat(changed.values()).allMatch((state) -> state == PresenceState.OFFLINE);
		return changed.keySet();
	}

	private Set<String> onlineAmong(Collection<String> users, Instant now) {
		return this.presence.onlineAmong(users, now).keySet();
	}

	@Test
	void findsUsersConnectedToALiveNode() {
		this.presence.begin("n1", NOW.plusSeconds(10));
		online("n1", List.of("anna", "bert"));
		online("n1", List.of("bert", "cleo"));
		this.presence.offline("n1", List.of("anna"));
		assertThat(onlineAmong(List.of("anna", "bert", "cleo", "dora"), NOW)).containsExactlyInAnyOrder("bert", "cleo");
	}

	@Test
	void ignoresANodeWithAnExpiredLeaseUntilItRenews() {
		this.presence.begin("n1", NOW);
		online("n1", List.of("anna"));
		assertThat(onlineAmong(List.of("anna"), NOW)).isEmpty();
		assertThat(this.presence.renew("n1", null, NOW.plusMillis(1))).isTrue();
		assertThat(onlineAmong(List.of("anna"), NOW)).containsExactly("anna");
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
			online(node, List.of("anna"));
		}
		this.presence.end("n1");
		assertThat(onlineAmong(List.of("anna"), NOW)).containsExactly("anna");
		this.presence.end("n2");
		assertThat(onlineAmong(List.of("anna"), NOW)).isEmpty();
	}

	@Test
	void reportsOnlineAndOfflineWhileAUserMovesBetweenNodes() {
		assertThat(online("n1", List.of("anna", "bert", "anna"))).containsExactlyInAnyOrder("anna", "bert");
		assertThat(online("n1", List.of("anna"))).isEmpty();
		assertThat(online("n2", List.of("anna", "cleo"))).containsExactly("cleo");
		assertThat(offline("n1", List.of("anna", "bert", "dora"))).containsExactly("bert");
		assertThat(online("n1", List.of("anna"))).isEmpty();
		assertThat(offline("n2", List.of("anna"))).isEmpty();
		assertThat(offline("n1", List.of("anna"))).containsExactly("anna");
		assertThat(offline("n1", List.of("anna"))).isEmpty();
	}

	@Test
	void reportsNoFollowersBeforeTheFirstRenewal() {
		this.presence.begin("n1", NOW.plusSeconds(10));
		this.jdbc
			.update("INSERT INTO room_member (room_id, username, joined_at) VALUES ('r', 'anna', CURRENT_TIMESTAMP)");
		this.followers.store("n1", Map.of("anna", Set.of("r")));
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
		online("n1", users);
		this.followers.store("n1", users.stream().collect(Collectors.toMap((user) -> user, (user) -> Set.of("r"))));
		this.presence.begin("n2", NOW.plusSeconds(10));
		online("n2", List.of("user7"));
		List<String> offline = new ArrayList<>();
		int parts = 0;
		for (boolean more = true; more; parts++) {
			NodePresence.Removed removed = this.presence.remove("n1", NOW);
			assertThat(removed.changed()).hasSizeLessThanOrEqualTo(200);
			offline.addAll(removed.changed().keySet());
			more = removed.more();
		}
		assertThat(parts).isGreaterThan(3);
		assertThat(offline).hasSize(449).doesNotHaveDuplicates().doesNotContain("user7");
		assertThat(this.presence.leases()).containsOnlyKeys("n2");
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM followed_rooms", Integer.class)).isZero();
		assertThat(this.presence.usersOf("n2", "", 10)).containsExactly("user7");
		assertThat(this.presence.renew("n1", NOW, NOW.plusSeconds(10))).as("it must write everything again").isFalse();
	}

	@Test
	void doesNotRemoveANodeThatHasRenewedItsLease() {
		this.presence.begin("n1", NOW);
		online("n1", List.of("anna"));
		Instant seen = this.presence.leases().get("n1");
		assertThat(this.presence.renew("n1", NOW, NOW.plusSeconds(10))).isTrue();
		assertThat(this.presence.remove("n1", seen)).isEqualTo(new NodePresence.Removed(Map.of(), false));
		assertThat(this.presence.usersOf("n1", "", 10)).containsExactly("anna");
	}

	@Test
	void doesNotRenewTheLeaseOfANodeThatIsBeingRemoved() {
		this.presence.begin("n1", NOW);
		online("n1", List.of("anna"));
		assertThat(this.presence.remove("n1", NOW).changed()).containsExactly(Map.entry("anna", PresenceState.OFFLINE));
		assertThat(this.presence.renew("n1", NOW, NOW.plusSeconds(10))).isFalse();
		this.presence.begin("n1", NOW.plusSeconds(10));
		assertThat(online("n1", List.of("anna"))).containsExactly("anna");
		assertThat(this.presence.remove("n1", NOW).more()).isFalse();
		assertThat(onlineAmong(List.of("anna"), NOW)).containsExactly("anna");
	}

	@Test
	void returnsTheUsersOfANodeInPages() {
		online("n1", List.of("cleo", "anna", "bert"));
		assertThat(this.presence.usersOf("n1", "", 2)).containsExactly("anna", "bert");
		assertThat(this.presence.usersOf("n1", "bert", 2)).containsExactly("cleo");
		assertThat(this.presence.usersOf("n2", "", 2)).isEmpty();
	}

	@Test
	void handlesMoreUsersThanFitIntoOneStatement() {
		List<String> users = IntStream.range(0, 1000).mapToObj((i) -> "user" + i).toList();
		this.presence.begin("n1", NOW.plusSeconds(10));
		online("n1", users);
		assertThat(onlineAmong(users, NOW)).hasSize(1000);
		this.presence.offline("n1", users);
		assertThat(onlineAmong(users, NOW)).isEmpty();
	}

	@Test
	void aUserIsAwayWhileAllNodesSaySo() {
		this.presence.begin("n1", NOW.plusSeconds(10));
		this.presence.begin("n2", NOW.plusSeconds(10));
		assertThat(online("n1", "anna", false)).containsEntry("anna", PresenceState.ONLINE);
		assertThat(online("n2", "anna", true)).isEmpty();
		assertThat(state("anna")).isEqualTo(PresenceState.ONLINE);
		assertThat(online("n1", "anna", true)).containsEntry("anna", PresenceState.AWAY);
		assertThat(online("n1", "anna", true)).isEmpty();
		assertThat(state("anna")).isEqualTo(PresenceState.AWAY);
		assertThat(online("n2", "anna", false)).containsEntry("anna", PresenceState.ONLINE);
		assertThat(online("n1", "anna", false)).isEmpty();
		assertThat(online("n1", "anna", true)).isEmpty();
		assertThat(this.presence.offline("n2", List.of("anna"))).containsEntry("anna", PresenceState.AWAY);
		assertThat(this.presence.offline("n1", List.of("anna"))).containsEntry("anna", PresenceState.OFFLINE);
	}

	@Test
	void aUserIsAwayWhenTheNodeOfTheOtherSessionsDies() {
		this.presence.begin("n1", NOW);
		online("n1", "anna", false);
		this.presence.begin("n2", NOW.plusSeconds(10));
		online("n2", "anna", true);
		assertThat(state("anna")).as("the dead node does not count").isEqualTo(PresenceState.AWAY);
		assertThat(this.presence.remove("n1", NOW).changed()).containsEntry("anna", PresenceState.AWAY);
	}

	/** A server of an earlier build does not know the column. */
	@Test
	void rowsOfEarlierBuildsAreNotAway() {
		this.presence.begin("n1", NOW.plusSeconds(10));
		this.jdbc.update("INSERT INTO node_presence (node, username) VALUES ('n1', 'anna')");
		assertThat(state("anna")).isEqualTo(PresenceState.ONLINE);
		assertThat(online("n2", "anna", true)).isEmpty();
	}

	private PresenceState state(String user) {
		return this.presence.onlineAmong(List.of(user), NOW).getOrDefault(user, UserNodes.NONE).state();
	}

}
