package io.parley.store.presence;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class NodePresenceTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final NodePresence presence;

	NodePresenceTests(NodePresence presence) {
		this.presence = presence;
	}

	@BeforeEach
	void clear() {
		this.presence.clear("n1");
		this.presence.clear("n2");
	}

	@Test
	void knowsWhoIsConnectedToANodeThatIsAlive() {
		this.presence.renew("n1", NOW, Duration.ofSeconds(10));
		this.presence.online("n1", List.of("anna", "bert"));
		this.presence.online("n1", List.of("bert", "cleo"));
		this.presence.offline("n1", List.of("anna"));
		assertThat(this.presence.onlineAmong(List.of("anna", "bert", "cleo", "dora"), NOW))
			.containsExactlyInAnyOrder("bert", "cleo");
	}

	@Test
	void forgetsANodeWhoseLeaseIsOverUntilItRenews() {
		this.presence.renew("n1", NOW, Duration.ZERO);
		this.presence.online("n1", List.of("anna"));
		assertThat(this.presence.onlineAmong(List.of("anna"), NOW)).isEmpty();
		this.presence.renew("n1", NOW, Duration.ofMillis(1));
		assertThat(this.presence.onlineAmong(List.of("anna"), NOW)).containsExactly("anna");
	}

	@Test
	void knowsTheOtherNodesThatAreAlive() {
		this.presence.renew("n1", NOW, Duration.ofSeconds(10));
		this.presence.renew("n2", NOW, Duration.ofSeconds(10));
		assertThat(this.presence.aliveBesides("n1", NOW)).containsExactly("n2");
		assertThat(this.presence.aliveBesides("n1", NOW.plusSeconds(10))).isEmpty();
	}

	@Test
	void keepsAUserOnlineWhoIsStillConnectedToAnotherNode() {
		for (String node : List.of("n1", "n2")) {
			this.presence.renew(node, NOW, Duration.ofSeconds(10));
			this.presence.online(node, List.of("anna"));
		}
		this.presence.clear("n1");
		assertThat(this.presence.onlineAmong(List.of("anna"), NOW)).containsExactly("anna");
	}

	@Test
	void takesMoreUsersThanOneStatementHolds() {
		List<String> users = IntStream.range(0, 1000).mapToObj((i) -> "user" + i).toList();
		this.presence.renew("n1", NOW, Duration.ofSeconds(10));
		this.presence.online("n1", users);
		assertThat(this.presence.onlineAmong(users, NOW)).hasSize(1000);
		this.presence.offline("n1", users);
		assertThat(this.presence.onlineAmong(users, NOW)).isEmpty();
	}

}
