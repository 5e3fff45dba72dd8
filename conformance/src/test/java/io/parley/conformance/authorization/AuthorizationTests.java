package io.parley.conformance.authorization;

import java.util.List;
import java.util.stream.Stream;

import io.parley.server.testing.AuthorizationTable;
import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

import org.springframework.security.oauth2.jwt.JwtEncoder;

/** Makes the cells of {@code docs/authorization.tsv} happen on one server. */
@UnlimitedServer
class AuthorizationTests {

	private final ChatServer server;

	private final JwtEncoder encoder;

	AuthorizationTests(ChatServer server, JwtEncoder encoder) {
		this.server = server;
		this.encoder = encoder;
	}

	@TestFactory
	Stream<DynamicContainer> cells() {
		List<Row> rows = AuthorizationTable.read();
		return CellTests.of(rows, new World(this.server, this.server, this.encoder, rows, List.of(Caller.values())),
				new Calls(this.server));
	}

}
