package io.parley.conformance;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Numbers out of range are refused. They are never rounded and never cause a server
 * error.
 */
@UnlimitedServer
class PositionTests {

	private final ChatServer server;

	PositionTests(ChatServer server) {
		this.server = server;
	}

	@ParameterizedTest
	@CsvSource({ "after=-1,bad-position", "before=0,bad-position", "before=-1,bad-position",
			"after=-9223372036854775808,bad-position", "after=9223372036854775808,bad-request",
			"before=9223372036854775808,bad-request", "after=1e400,bad-request", "after=NaN,bad-request",
			"after=1.5,bad-request", "limit=0,bad-request", "limit=-1,bad-request", "limit=2147483648,bad-request",
			"limit=1e400,bad-request", "limit=x,bad-request" })
	void ofAPageAreInRange(String query, String code) {
		String room = this.server.room("anna");
		ChatApi.Answer answer = this.server.user("anna").get("/api/rooms/" + room + "/messages?" + query);
		assertThat(answer.expect(400).code()).isEqualTo(code);
	}

	@ParameterizedTest
	@ValueSource(strings = { "after=0", "before=1", "after=9223372036854775807", "before=9223372036854775807",
			"limit=2147483647", "after=" })
	void atTheEdgeOfTheRangeAreAccepted(String query) {
		String room = this.server.room("anna");
		this.server.user("anna").get("/api/rooms/" + room + "/messages?" + query).expect(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "9223372036854775807", "9223372036854775808", "1e400", "-1e400", "1e5", "1.5", "NaN",
			"null", "\"1\"", "[1]", "{}", "true", "1e2147483647",
			"111111111111111111111111111111111111111111111111111111111111111" })
	void ofAReadMarkerAreExact(String position) {
		String room = this.server.room("anna");
		ChatApi.Answer answer = this.server.user("anna")
			.exchange("PUT", "/api/rooms/" + room + "/read", "{\"position\":" + position + "}");
		assertThat(answer.expect(400).code()).isIn("bad-position", "bad-request");
		assertThat(this.server.user("anna").listed(room).path("read").asLong()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "2147483648", "-2147483649", "9223372036854775808", "1e400", "NaN", "0", "-1" })
	void ofACapacityAreInRange(String capacity) {
		ChatApi.Answer answer = this.server.user("anna")
			.exchange("POST", "/api/rooms", "{\"name\":\"x\",\"kind\":\"group\",\"capacity\":" + capacity + "}");
		assertThat(answer.expect(400).code()).isEqualTo("bad-request");
	}

}
