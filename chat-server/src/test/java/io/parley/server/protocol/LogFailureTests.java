package io.parley.server.protocol;

import java.util.List;
import java.util.Map;

import io.parley.server.protocol.FaultyLog.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** What a client is told when the log fails, and what its retry is worth. */
@UnlimitedServer
@Import(FaultyLog.class)
class LogFailureTests {

	private final ChatServer server;

	private final FaultyLog log;

	LogFailureTests(ChatServer server, FaultyLog log) {
		this.server = server;
		this.log = log;
	}

	@AfterEach
	void repair() {
		this.log.set(Fault.NONE);
	}

	@ParameterizedTest
	@CsvSource({ "REFUSES,log-unavailable,503", "LOSES_AND_DOES_NOT_KNOW,append-unknown,503", "THROWS,internal,500" })
	void isToldInOneWordAndTheSessionLives(Fault fault, String code, int status) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.follow("s", room);
			this.log.set(fault);
			JsonNode error = anna.refusal("/app/rooms." + room + ".send", "{\"clientId\":\"c1\",\"text\":\"hi\"}");
			assertThat(error.path("code").asString()).isEqualTo(code);
			assertThat(error.path("message").asString()).isNotBlank().doesNotContain("test", "Exception");
			ChatApi.Answer answer = this.server.user("anna")
				.post("/api/rooms/" + room + "/messages", Map.of("clientId", "c2", "text", "hi"));
			assertThat(answer.expect(status).code()).isEqualTo(code);
			assertThat(answer.response().headers().firstValue("Retry-After")).isPresent();
			this.log.set(Fault.NONE);
			anna.expectReceipt(anna.say(room, "c3", "again"));
			anna.expectMessage("s", "c3");
			assertThat(clientIds(anna.events("s"))).containsExactly("c3");
		}
		assertThat(clientIds(this.server.user("anna").history(room, ""))).containsExactly("c3");
	}

	@ParameterizedTest
	@EnumSource(value = Fault.class, names = { "WRITES_AND_DOES_NOT_KNOW", "LOSES_AND_DOES_NOT_KNOW" })
	void anUnknownOutcomeIsOneMessageInTheHistoryAfterTheRetry(Fault fault) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.follow("s", room);
			this.log.set(fault);
			assertThat(anna.refusal("/app/rooms." + room + ".send", "{\"clientId\":\"c1\",\"text\":\"hi\"}")
				.path("clientId")
				.asString()).isEqualTo("c1");
			this.log.set(Fault.NONE);
			anna.expectReceipt(anna.say(room, "c1", "hi"));
			anna.expectReceipt(anna.say(room, "end", "end"));
			anna.expectMessage("s", "end");
			assertThat(clientIds(anna.events("s"))).contains("c1").endsWith("end");
		}
		assertThat(clientIds(this.server.user("anna").history(room, ""))).containsExactly("c1", "end");
	}

	@Test
	void aRefusedMessageTakesNoPlaceInTheChain() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			long start = anna.follow("s", room).path("head").asLong();
			for (int i = 0; i < 10; i++) {
				this.log.set(Fault.REFUSES);
				anna.refusal("/app/rooms." + room + ".send", "{\"clientId\":\"lost" + i + "\",\"text\":\"hi\"}");
				this.log.set(Fault.NONE);
				anna.expectReceipt(anna.say(room, "c" + i, "text"));
			}
			anna.expectMessage("s", "c9");
			Chain.assertUnbroken(anna.events("s").stream().skip(1).toList(), start);
		}
	}

	@Test
	void aPositionThatCameIsKnownThoughTheLogIsBehind() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.follow("s", room);
			this.log.set(Fault.IS_BEHIND);
			for (int i = 0; i < 5; i++) {
				anna.expectReceipt(anna.say(room, "c" + i, "text"));
				long position = anna.expectMessage("s", "c" + i).path("position").asLong();
				assertThat(anna.follow("again" + i, room, position).path("recovered").asBoolean()).isTrue();
				anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".read"),
						"{\"position\":" + position + "}");
			}
		}
	}

	private static List<String> clientIds(List<JsonNode> events) {
		return events.stream()
			.filter((event) -> event.path("type").asString().equals("message.posted"))
			.map((event) -> event.path("clientId").asString())
			.toList();
	}

}
