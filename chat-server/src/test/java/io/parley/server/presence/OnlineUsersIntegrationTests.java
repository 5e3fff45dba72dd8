package io.parley.server.presence;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.server.session.SessionRegistry;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.presence.NodePresence;
import io.parley.store.presence.PresenceState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@UnlimitedServer
class OnlineUsersIntegrationTests {

	private static final String NODE = "earlier-run";

	private final NodePresence presence;

	private final SessionRegistry sessions;

	OnlineUsersIntegrationTests(NodePresence presence, SessionRegistry sessions) {
		this.presence = presence;
		this.sessions = sessions;
	}

	@Test
	void reportUsersOfflineWhoDoNotReconnectAfterARestart() {
		List<String> users = IntStream.range(0, 500).mapToObj((i) -> "left" + i).toList();
		this.presence.online(NODE, users.stream().collect(Collectors.toMap((user) -> user, (user) -> false)));
		this.presence.online("another-node", Map.of("left7", false));
		List<PresenceChanged> published = new ArrayList<>();
		OnlineUsers online = new OnlineUsers(this.presence, this.sessions,
				(event) -> published.add((PresenceChanged) event));
		online.begin(NODE);
		assertThat(online.write(NODE)).isFalse();
		assertThat(published).as("they may reconnect").isEmpty();
		await().until(() -> {
			online.write(NODE);
			return this.presence.usersOf(NODE, "", 1).isEmpty();
		});
		assertThat(published).hasSize(499)
			.doesNotHaveDuplicates()
			.allMatch((event) -> event.state() == PresenceState.OFFLINE);
		assertThat(published).doesNotContain(new PresenceChanged("left7", PresenceState.OFFLINE));
		this.presence.offline("another-node", List.of("left7"));
	}

	@Test
	void writeAUserOnceWhoReconnectsAllTheTime() {
		List<PresenceChanged> published = new ArrayList<>();
		OnlineUsers online = new OnlineUsers(this.presence, this.sessions,
				(event) -> published.add((PresenceChanged) event));
		for (int i = 0; i < 1_000; i++) {
			online.online(new SessionRegistry.UserOnline("restless"));
			online.offline(new SessionRegistry.UserOffline("restless"));
		}
		online.online(new SessionRegistry.UserOnline("restless"));
		online.write(NODE);
		assertThat(published).as("there is no session, and there was no row").isEmpty();
	}

}
