package io.parley.conformance;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Sends bodies that violate JSON or UTF-8, and values of the wrong type. */
@UnlimitedServer
class JsonSecurityTests {

	private static final String MESSAGE = "{\"clientId\":\"c1\",\"text\":\"hi\"}";

	private final ChatServer server;

	JsonSecurityTests(ChatServer server) {
		this.server = server;
	}

	/**
	 * Returns invalid fields, one character for each byte, with a description of the
	 * error.
	 */
	static Stream<Arguments> badFields() {
		return Stream.of(Arguments.of("a high surrogate alone", "\"x\":\"\\ud83d\""),
				Arguments.of("a low surrogate alone", "\"x\":\"a\\ude00b\""),
				Arguments.of("a pair the wrong way round", "\"x\":\"\\ude00\\ud83d\""),
				Arguments.of("a surrogate inside", "\"x\":{\"y\":[1,\"\\ud83d\"]}"),
				Arguments.of("a surrogate in a name", "\"\\ud83d\":1"),
				Arguments.of("a surrogate in a name inside", "\"x\":[{\"\\ud83d\":1}]"),
				Arguments.of("U+0000", "\"x\":\"a\\u0000b\""), Arguments.of("U+0000 inside", "\"x\":[[\"\\u0000\"]]"),
				Arguments.of("U+0000 in a name", "\"x\\u0000\":1"),
				Arguments.of("an overlong A", "\"x\":\"\u00c1\u0081\""),
				Arguments.of("an overlong U+0000", "\"x\":\"\u00c0\u0080\""),
				Arguments.of("an overlong A in a name", "\"\u00e0\u0081\u0081\":1"),
				Arguments.of("a surrogate in UTF-8", "\"x\":\"\u00ed\u00a0\u0080\""),
				Arguments.of("a pair of surrogates in UTF-8", "\"x\":\"\u00ed\u00a0\u00bd\u00ed\u00b8\u0080\""),
				Arguments.of("a character above U+10FFFF", "\"x\":\"\u00f4\u0090\u0080\u0080\""),
				Arguments.of("Latin-1", "\"x\":\"\u00e4\""), Arguments.of("a name twice", "\"x\":1,\"x\":1"),
				Arguments.of("a name twice, once escaped", "\"x\":1,\"\\u0078\":1"),
				Arguments.of("a name twice inside", "\"x\":[{\"y\":1,\"y\":2}]"), Arguments.of("NaN", "\"x\":NaN"),
				Arguments.of("Infinity", "\"x\":-Infinity"), Arguments.of("a plus sign", "\"x\":+1"),
				Arguments.of("a leading zero", "\"x\":01"), Arguments.of("a comment", "\"x\":/**/1"),
				Arguments.of("a trailing comma", "\"x\":[1,]"), Arguments.of("a tab in a string", "\"x\":\"\t\""),
				Arguments.of("single quotes", "\"x\":'y'"), Arguments.of("another object after it", "\"x\":1}{\"y\":1"),
				Arguments.of("a value after it", "\"x\":1} 1 {"),
				Arguments.of("17 levels", "\"x\":" + "[".repeat(16) + "]".repeat(16)),
				Arguments.of("10,000 levels that never end", "\"x\":" + "[".repeat(10_000)),
				Arguments.of("a name of 129 characters", "\"" + "n".repeat(129) + "\":1"),
				Arguments.of("a number of 1,001 digits", "\"x\":" + "1".repeat(1_001)),
				Arguments.of("5,000 values", "\"x\":[" + "1,".repeat(4_999) + "1]"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("badFields")
	void refusesAMessageOverStompAndHttp(String what, String field) {
		byte[] body = latin1("{\"clientId\":\"c1\",\"text\":\"hi\"," + field + "}");
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			JsonNode error = expectError(anna, "/app/rooms." + room + ".send", body);
			assertThat(error.path("code").asString()).isEqualTo("bad-message");
			assertThat(error.path("message").asString()).startsWith("The body ").doesNotContain("jackson");
			anna.expectReceipt(anna.say(room, "next", "text"));
		}
		ChatApi.Answer answer = this.server.user("anna")
			.exchange("POST", "/api/rooms/" + room + "/messages", body, "application/json");
		assertThat(answer.expect(400).code()).isEqualTo("bad-message");
		assertThat(this.server.user("anna").history(room, "")).hasSize(2);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("badFields")
	void refusesATokenAndAReadMarker(String what, String field) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			String token = this.server.user("anna").token();
			for (Map.Entry<String, String> frame : Map
				.of("/app/token", "\"accessToken\":\"" + token + "\"", "/app/rooms." + room + ".read", "\"position\":0")
				.entrySet()) {
				byte[] body = latin1("{" + frame.getValue() + "," + field + "}");
				assertThat(expectError(anna, frame.getKey(), body).path("code").asString()).isEqualTo("bad-message");
			}
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("badFields")
	void refusesEveryHttpBody(String what, String field) {
		String room = this.server.room("anna");
		for (Call call : calls(room)) {
			byte[] body = latin1("{" + field + "," + call.body().substring(1));
			for (String type : List.of("application/json", "application/json;charset=ISO-8859-1")) {
				ChatApi.Answer answer = this.server.user("anna").exchange(call.method(), call.path(), body, type);
				assertThat(answer.status()).as("%s: %s", call, answer.response().body()).isEqualTo(400);
				assertThat(answer.code()).isEqualTo("bad-request");
				assertThat(answer.body().path("detail").asString()).startsWith("The body ");
			}
		}
	}

	@Test
	void aCharsetInTheHeaderChangesNothing() {
		String room = this.server.user("anna")
			.exchange("POST", "/api/rooms",
					"{\"kind\":\"group\",\"name\":\"Zo\u00eb\"}".getBytes(StandardCharsets.UTF_8),
					"application/json;charset=ISO-8859-1")
			.expect(201)
			.body()
			.path("id")
			.asString();
		assertThat(this.server.user("anna").listed(room).path("name").asString()).isEqualTo("Zo\u00eb");
	}

	@ParameterizedTest
	@ValueSource(strings = { "UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE" })
	void refusesOtherEncodings(String charset) throws Exception {
		ChatApi.Answer answer = this.server.user("anna")
			.exchange("POST", "/api/rooms", "{\"kind\":\"group\",\"name\":\"x\"}".getBytes(charset),
					"application/json;charset=" + charset);
		assertThat(answer.expect(400).code()).isEqualTo("bad-request");
	}

	/** An HTTP call with a body. */
	private record Call(String method, String path, String body) {
	}

	private static List<Call> calls(String room) {
		return List.of(new Call("POST", "/api/auth/register", "{\"username\":\"json\",\"password\":\"long enough\"}"),
				new Call("POST", "/api/auth/login", "{\"username\":\"anna\",\"password\":\"secret\"}"),
				new Call("POST", "/api/auth/refresh", "{\"refreshToken\":\"x\"}"),
				new Call("POST", "/api/rooms",
						"{\"name\":\"x\",\"kind\":\"group\",\"members\":[\"anna\"],\"capacity\":10}"),
				new Call("POST", "/api/rooms/" + room + "/members", "{\"username\":\"anna\"}"),
				new Call("PUT", "/api/rooms/" + room + "/read", "{\"position\":0}"),
				new Call("POST", "/api/devices",
						"{\"token\":\"abc\",\"platform\":\"ios\",\"kind\":\"fid\",\"replaces\":\"x\"}"),
				new Call("PUT", "/api/me/notifications",
						"{\"level\":\"all\",\"mutedUntil\":\"2030-01-31T08:00:00Z\",\"quietHours\":"
								+ "{\"from\":\"22:00\",\"to\":\"07:00\",\"timeZone\":\"Europe/Berlin\"}}"),
				new Call("PUT", "/api/rooms/" + room + "/notifications",
						"{\"level\":\"all\",\"mutedUntil\":\"2030-01-31T08:00:00Z\"}"),
				new Call("PUT", "/api/rooms/" + room + "/members/anna", "{\"role\":\"owner\"}"),
				new Call("PUT", "/api/rooms/" + room + "/mutes/bert", "{\"until\":\"2030-01-31T08:00:00Z\"}"),
				new Call("POST", "/api/rooms/" + room + "/invites",
						"{\"expires\":\"2030-01-31T08:00:00Z\",\"uses\":5}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"a\":1}", "[]", "[\"x\"]", "[{}]", "1", "0", "1.5", "true", "\"x\"", "null",
			"\"\"", "\" \"", "1e400", "1e4001099511627777", "[null]", "[[]]", "[1]", "12345678901234567890" })
	void refusesAValueOfTheWrongType(String value) {
		String room = this.server.room("anna");
		for (Call call : calls(room)) {
			JsonNode body = ChatApi.JSON.readTree(call.body());
			body.properties().forEach((field) -> assertTyped(call, body, field.getKey(), field.getValue(), value));
			JsonNode quiet = body.path("quietHours");
			quiet.properties().forEach((field) -> assertTyped(call, quiet, field.getKey(), field.getValue(), value));
			assertRefused(call, (value.startsWith("{")) ? "[" + value + "]" : value);
		}
	}

	private void assertTyped(Call call, JsonNode parent, String name, JsonNode valid, String value) {
		String body = call.body().replace("\"" + name + "\":" + valid, "\"" + name + "\":" + value);
		JsonNode wrong = ChatApi.JSON.readTree(value);
		boolean sameType = wrong.isString() == valid.isString() && wrong.isNumber() == valid.isNumber()
				&& wrong.isArray() == valid.isArray() && wrong.isObject() == valid.isObject();
		if (sameType || wrong.isNull()) {
			ChatApi.Answer answer = this.server.user("anna").exchange(call.method(), call.path(), body);
			assertThat(answer.status()).as("%s with %s", call, body).isLessThan(500);
			assertThat(answer.status() < 300 || !answer.code().isEmpty()).isTrue();
		}
		else {
			assertRefused(call, body);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "{\"name\":1,\"kind\":\"group\"}|name", "{\"kind\":\"none\"}|kind",
			"{\"kind\":\"group\",\"members\":[1]}|members", "{\"kind\":\"group\",\"capacity\":1.5}|capacity",
			"{\"kind\":\"channel\",\"private\":\"true\"}|private", "{\"kind\":\"channel\",\"private\":1}|private" })
	void namesTheFieldWithTheWrongValue(String body, String field) {
		ChatApi.Answer answer = this.server.user("anna").exchange("POST", "/api/rooms", body);
		assertThat(answer.expect(400).body().path("detail").asString())
			.isEqualTo("'" + field + "' has an invalid value; see docs/protocol.md.");
	}

	private void assertRefused(Call call, String body) {
		ChatApi.Answer answer = this.server.user("anna").exchange(call.method(), call.path(), body);
		assertThat(answer.status()).as("%s with %s: %s", call, body, answer.response().body()).isEqualTo(400);
		assertThat(answer.code()).isIn("bad-request", "bad-position");
	}

	/** In the log both would become {@code x?}: one message with two receipts. */
	@Test
	void refusesClientIdsThatDifferOnlyInALoneSurrogate() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			for (String clientId : List.of("x\\ud800", "x\\ud801")) {
				JsonNode error = anna.expectError("/app/rooms." + room + ".send", MESSAGE.replace("c1", clientId));
				assertThat(error.path("code").asString()).isEqualTo("bad-message");
				assertThat(error.has("clientId")).isFalse();
			}
		}
		assertThat(this.server.user("anna").history(room, "")).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"x\":\"\\ud800\"", "\"x\":NaN", "\"x\":1,\"x\":1" })
	void returnsTheClientIdThatPrecedesTheError(String field) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			JsonNode error = anna.expectError("/app/rooms." + room + ".send", MESSAGE.replace("}", "," + field + "}"));
			assertThat(error.path("code").asString()).isEqualTo("bad-message");
			assertThat(error.path("clientId").asString()).isEqualTo("c1");
		}
	}

	@Test
	void doesNotRepeatALongClientIdOfALargeMessage() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			JsonNode error = anna.expectError("/app/rooms." + room + ".send",
					MESSAGE.replace("c1", "c".repeat(20_000)));
			assertThat(error.path("code").asString()).isEqualTo("message-too-large");
			assertThat(error.has("clientId")).isFalse();
			String late = MESSAGE.replace("}", ",\"x\":\"" + "y".repeat(20_000) + "\"}");
			assertThat(anna.expectError("/app/rooms." + room + ".send", late).path("clientId").asString())
				.isEqualTo("c1");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "1e400", "-1E+400", "0.10", "-0", "-0.0", "9223372036854775808", "1.0", "1e0",
			"3.14159265358979323846264338327950288419716939937510", "123456789012345678901234567890", "1E-400",
			"[ 1.50 , {\"a\" : 1e400} ]", "\"\\u0041\\/\\ud83d\\ude00\u00e4\"", "{ }", "null", "true" })
	void keepsTheExtraFieldsOfTheSenderUnchanged(String value) {
		String room = this.server.room("anna");
		String fields = "\"own\":" + value + ",\"\u00e4nd\":1.10}";
		try (StompConnection anna = this.server.connect("anna")) {
			anna.follow("s", room);
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".send"),
					MESSAGE.replace("}", "  , " + fields));
			Frame live = anna.expect((frame) -> frame.isMessageOf("s") && frame.body().contains("\"clientId\":\"c1\""));
			assertThat(live.body()).endsWith("\"text\":\"hi\"," + fields);
			assertThat(this.server.user("anna").get("/api/rooms/" + room + "/messages?limit=1").response().body())
				.contains("\"text\":\"hi\"," + fields);
		}
	}

	@Test
	void acceptsEverythingWithinTheLimits() {
		String room = this.server.room("anna");
		String body = MESSAGE.replace("}", ",\"deep\":" + "[".repeat(15) + "]".repeat(15) + ",\"" + "n".repeat(128)
				+ "\":" + "1".repeat(1_000) + ",\"many\":[" + "1,".repeat(4_900) + "1]}");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".send"), body);
			assertThat(this.server.user("anna").history(room, "?limit=1").getFirst().path("many")).hasSize(4_901);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "SUBSCRIBE\nid:a\0b\ndestination:/user/queue/events\nreceipt:r\n\n\0",
			"SUBSCRIBE\nid:a\ndestination:/user/queue/events\0\nreceipt:r\n\n\0",
			"SUBSCRIBE\nid:a\ndestination:/user/queue/events\nx\0y:z\nreceipt:r\n\n\0",
			"SEND\ndestination:/app/rooms.x.send\0\nreceipt:r\n\n{}\0",
			"SEND\ndestination:/app/rooms.x.typing\nreceipt:r\0SEND\n\n{}\0",
			"UNSUBSCRIBE\nid:me\0SEND\nreceipt:r\n\n\0" })
	void refusesU0000InAHeaderAndTheSessionLives(String frame) {
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.binary(StompConnection.bytes(frame));
			JsonNode error = anna.expectEvent("me", (event) -> event.path("type").asString().equals("error"));
			assertThat(error.path("code").asString()).isEqualTo("bad-frame");
			anna.confirmed("UNSUBSCRIBE", Map.of("id", "none"), "");
		}
	}

	@Test
	void repeatsNoU0000InAnErrorFrame() {
		try (StompConnection connection = StompConnection.open(this.server)) {
			connection.binary(StompConnection.bytes("CONNECT\naccept-version:1.2\nreceipt:a\0MESSAGE\n\n\0"));
			Frame error = connection.expect((frame) -> frame.is("ERROR"));
			assertThat(error.header("message")).isEqualTo("bad-frame");
			assertThat(error.headers()).doesNotContainKey("receipt-id");
		}
	}

	/** A surrogate encoded in UTF-8 is malformed. The decoder replaces it with U+FFFD. */
	@Test
	void takesMalformedUtf8InAHeaderAsOneReplacement() {
		try (StompConnection anna = this.server.connect("anna")) {
			anna.binary(
					latin1("SUBSCRIBE\nid:a\u00ed\u00a0\u0080\ndestination:/user/queue/events\nreceipt:r\u00ff\n\n\0"));
			anna.expectReceipt("r\ufffd");
		}
	}

	private static JsonNode expectError(StompConnection connection, String destination, byte[] body) {
		String receipt = "bytes-" + System.nanoTime();
		connection.binary(latin1("SEND\ndestination:" + destination + "\nreceipt:" + receipt + "\ncontent-length:"
				+ body.length + "\n\n" + new String(body, StandardCharsets.ISO_8859_1) + "\0"));
		return connection.expectEvent("me", (event) -> event.path("receipt").asString("").equals(receipt));
	}

	private static byte[] latin1(String bytes) {
		return bytes.getBytes(StandardCharsets.ISO_8859_1);
	}

}
