package io.parley.conformance.hour;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.DatabaseOutage;
import io.parley.server.testing.StillDatabase;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/** Longer than tokens, caches and time-outs last. */
@UnlimitedServer
@Import(StillDatabase.class)
@TestPropertySource(properties = "chat.database.timeout=2s")
class DatabaseOutageTests {

	private final ChatServer server;

	private final StillDatabase database;

	DatabaseOutageTests(ChatServer server, StillDatabase database) {
		this.server = server;
		this.database = database;
	}

	@AfterEach
	void resume() {
		this.database.resume();
	}

	@Test
	void messagesGoOnForAnHour() throws Exception {
		new DatabaseOutage(this.server, this.database).assertMessagesGoOn(3_600, 50);
	}

}
