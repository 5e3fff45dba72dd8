package io.parley.conformance;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@UnlimitedServer
class NotificationSettingsTests {

	private static final String MINE = "/api/me/notifications";

	private static final String DEFAULT = "{\"level\":\"all\",\"mutedUntil\":null,\"quietHours\":null}";

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	NotificationSettingsTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("DELETE FROM push_setting");
		this.jdbc.update("DELETE FROM room_push_setting");
	}

	@Test
	void notifyOfEverythingByDefault() {
		assertAnswer(this.server.user("anna").get(MINE), DEFAULT);
		assertAnswer(this.server.user("anna").get(of(this.server.room("anna"))),
				"{\"level\":null,\"mutedUntil\":null}");
	}

	@Test
	void areKeptForEachUser() {
		String wanted = "{\"level\":\"mentions\",\"mutedUntil\":\"2030-01-31T08:00:00.123Z\","
				+ "\"quietHours\":{\"from\":\"22:00\",\"to\":\"07:00\",\"timeZone\":\"Europe/Berlin\"}}";
		assertAnswer(this.server.user("anna").exchange("PUT", MINE, wanted), wanted);
		assertAnswer(this.server.user("anna").get(MINE), wanted);
		assertAnswer(this.server.user("bert").get(MINE), DEFAULT);
		assertAnswer(this.server.user("anna").exchange("PUT", MINE, "{\"level\":\"all\"}"), DEFAULT);
		assertAnswer(this.server.user("anna").get(MINE), DEFAULT);
	}

	@Test
	void areKeptForEachRoom() {
		String room = this.server.room("anna", "bert");
		String wanted = "{\"level\":\"none\",\"mutedUntil\":\"2030-01-31T08:00:00Z\"}";
		assertAnswer(this.server.user("anna").exchange("PUT", of(room), wanted), wanted);
		assertAnswer(this.server.user("anna").get(of(room)), wanted);
		assertAnswer(this.server.user("bert").get(of(room)), "{\"level\":null,\"mutedUntil\":null}");
		assertAnswer(this.server.user("anna").get(of(this.server.room("anna"))),
				"{\"level\":null,\"mutedUntil\":null}");
		assertAnswer(this.server.user("anna").exchange("PUT", of(room), "{}"), "{\"level\":null,\"mutedUntil\":null}");
		assertAnswer(this.server.user("anna").get(of(room)), "{\"level\":null,\"mutedUntil\":null}");
	}

	@Test
	void acceptTimesOfAnyZone() {
		assertAnswer(
				this.server.user("anna")
					.exchange("PUT", MINE, "{\"level\":\"none\",\"mutedUntil\":\"2030-01-31T10:00:00+02:00\"}"),
				"{\"level\":\"none\",\"mutedUntil\":\"2030-01-31T08:00:00Z\",\"quietHours\":null}");
	}

	@Test
	void ofARoomAreForMembersOnly() {
		String room = this.server.room("anna");
		ChatApi bert = this.server.user("bert");
		assertThat(bert.get(of(room)).expect(403).code()).isEqualTo("not-a-member");
		assertThat(bert.exchange("PUT", of(room), "{}").expect(403).code()).isEqualTo("not-a-member");
		assertThat(bert.get(of("none")).expect(403).code()).isEqualTo("not-a-member");
		assertThat(bert.exchange("PUT", of("none"), "{}").expect(403).code()).isEqualTo("not-a-member");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "{}|'level' must", "{'level':null}|'level' must",
			"{'level':'some'}|'level' must be all, mentions or none", "{'level':'ALL'}|'level' must",
			"{'level':'all','mutedUntil':'tomorrow'}|'mutedUntil' must",
			"{'level':'all','mutedUntil':'2030-01-31'}|'mutedUntil' must",
			"{'level':'all','mutedUntil':'+99999-01-01T00:00:00Z'}|'mutedUntil' must",
			"{'level':'all','mutedUntil':'0001-01-01T00:00:00Z'}|'mutedUntil' must",
			"{'level':'all','quietHours':{}}|'quietHours.from' must",
			"{'level':'all','quietHours':{'from':'22:00','to':'7:00','timeZone':'UTC'}}|'quietHours.to' must",
			"{'level':'all','quietHours':{'from':'24:00','to':'07:00','timeZone':'UTC'}}|'quietHours.from' must",
			"{'level':'all','quietHours':{'from':'22:00','to':'07:00'}}|'quietHours.timeZone' must",
			"{'level':'all','quietHours':{'from':'22:00','to':'07:00','timeZone':'Mars'}}|'quietHours.timeZone' must",
			"{'level':'all','quietHours':{'from':'07:00','to':'07:00','timeZone':'UTC'}}|'quietHours' must",
			"[]|The body must be one JSON object" })
	void refuseInvalidSettings(String body, String detail) {
		ChatApi.Answer answer = this.server.user("anna").exchange("PUT", MINE, body.replace('\'', '"')).expect(400);
		assertThat(answer.code()).isEqualTo("bad-request");
		assertThat(answer.body().path("detail").asString()).startsWith(detail);
		assertAnswer(this.server.user("anna").get(MINE), DEFAULT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"level\":\"some\"}", "{\"mutedUntil\":\"tomorrow\"}", "no json" })
	void ofARoomRefuseInvalidSettings(String body) {
		String room = this.server.room("anna");
		assertThat(this.server.user("anna").exchange("PUT", of(room), body).expect(400).code())
			.isEqualTo("bad-request");
	}

	private static String of(String room) {
		return "/api/rooms/" + room + "/notifications";
	}

	private static void assertAnswer(ChatApi.Answer answer, String json) {
		assertThat(answer.expect(200).body()).isEqualTo(ChatApi.JSON.readTree(json));
	}

}
