package io.parley.conformance.authorization;

import java.util.List;
import java.util.stream.Stream;

import io.parley.server.testing.AuthorizationTable;
import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import org.springframework.security.oauth2.jwt.JwtEncoder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A caller who is refused is also refused when the path is written in another way, and by
 * another method. Unless at full size, one of these callers tries each path.
 */
@UnlimitedServer
class DetourTests {

	private static final boolean ALL = Boolean.getBoolean("parley.test.full-size");

	private static final List<Caller> CALLERS = List.of(Caller.NO_TOKEN, Caller.SUSPENDED, Caller.STRANGER);

	private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

	private final ChatServer server;

	private final JwtEncoder encoder;

	DetourTests(ChatServer server, JwtEncoder encoder) {
		this.server = server;
		this.encoder = encoder;
	}

	@TestFactory
	Stream<DynamicTest> areRefusedToo() {
		List<Row> rows = AuthorizationTable.read().stream().filter((row) -> !row.isFrame()).toList();
		World world = new World(this.server, this.server, this.encoder, rows, CALLERS);
		Calls calls = new Calls(this.server);
		return rows.stream()
			.flatMap((row) -> callers(row, rows.indexOf(row))
				.map((caller) -> DynamicTest.dynamicTest(row + ", " + caller.heading(),
						() -> assertRefused(calls, row, world.situation(row, caller), caller))));
	}

	private static Stream<Caller> callers(Row row, int index) {
		List<Caller> refused = CALLERS.stream().filter(row::refuses).toList();
		return (ALL || refused.isEmpty()) ? refused.stream() : Stream.of(refused.get(index % refused.size()));
	}

	private static void assertRefused(Calls calls, Row row, Situation situation, Caller caller) {
		String target = situation.target(row);
		int end = target.contains("?") ? target.indexOf('?') : target.length();
		String path = target.substring(0, end);
		for (String detour : detours(path)) {
			assertRefused(calls, row.method(), detour + target.substring(end), row, situation);
		}
		if (caller == Caller.NO_TOKEN) {
			METHODS.forEach((method) -> assertRefused(calls, method, target, row, situation));
		}
	}

	private static List<String> detours(String path) {
		String rest = path.substring("/api".length());
		return List.of(path + "/", path + "//", "/" + path, path + ".json", path + ";v=1", path + "%2F", path + "%20",
				path + "%00", path + "/.", "/API" + rest, "/%61pi" + rest, "/api;v=1" + rest, "/api/." + rest,
				"/x/.." + path, "/x/%2e%2e" + path, "/api%2F" + rest.substring(1), "/api/" + rest);
	}

	private static void assertRefused(Calls calls, String method, String path, Row row, Situation situation) {
		String outcome = calls.request(method, path, row, situation);
		assertThat(AuthorizationTable.isRefusal(outcome)).as("%s %s: %s", method, path, outcome).isTrue();
	}

}
