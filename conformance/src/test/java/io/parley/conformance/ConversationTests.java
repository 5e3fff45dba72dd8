package io.parley.conformance;

import java.util.List;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;

/** After any actions in a room, all devices end in the same state. */
@UnlimitedServer
class ConversationTests {

	private static final int STEPS = Boolean.getBoolean("parley.test.full-size") ? 200 : 40;

	private final ChatServer server;

	ConversationTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void allDevicesEndInTheStateOfTheView() throws Exception {
		new RandomConversation(List.of(this.server)).run(STEPS);
	}

}
