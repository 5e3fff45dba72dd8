package io.parley.conformance.authorization;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.parley.server.testing.AuthorizationTable;
import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import org.springframework.security.oauth2.jwt.JwtEncoder;

/**
 * The cells again: accounts, sign-ins and rooms get into their states on one server, and
 * the calls go to the other one. Unless at full size, one of the rows with the same
 * outcomes stands for all of them.
 */
@Tag("exhaustive")
class TwoServersAuthorizationTests {

	private static final TwoServers servers = TwoServers.onBus();

	@AfterAll
	static void stop() {
		servers.close();
	}

	@TestFactory
	Stream<DynamicContainer> cells() {
		List<Row> rows = rows();
		World world = new World(servers.one(), servers.two(), servers.bean(JwtEncoder.class), rows,
				List.of(Caller.values()));
		return CellTests.of(rows, world, new Calls(servers.two()));
	}

	private static List<Row> rows() {
		List<Row> rows = AuthorizationTable.read();
		if (Boolean.getBoolean("parley.test.full-size")) {
			return rows;
		}
		Set<Map<Caller, String>> seen = new HashSet<>();
		return rows.stream().filter((row) -> seen.add(row.outcomes())).toList();
	}

}
