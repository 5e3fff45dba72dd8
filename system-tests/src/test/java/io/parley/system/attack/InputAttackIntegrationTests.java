package io.parley.system.attack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Sends invalid frames, numbers, requests and paths. */
class InputAttackIntegrationTests {

	private static final String[] INSIDE = { "Exception", "io.parley", "springframework", "jetty", "\tat " };

	private static final List<String> NUMBERS = List.of("9007199254740992", "9007199254740993", "9223372036854775807",
			"9223372036854775808", "18446744073709551616", "-1", "-9223372036854775808", "-9223372036854775809",
			"1e400", "-1e400", "1e19", "1e1000000000", "NaN", "Infinity", "-Infinity", "1.5", "0x10", "007", "1_000",
			"null", "true", "[]", "{}", "\"1\"", "\"\"", "9".repeat(5_000));

	@RegisterExtension
	static final AttackedServer server = new AttackedServer("--chat.limits.exempt-addresses=none",
			"--chat.limits.subscribes-per-second=0", "--chat.limits.sends-per-second=0",
			"--chat.limits.rooms-per-minute=0", "--chat.limits.invitations-per-minute=0");

	/** Each frame is sent on a session of a user who has no access to the room. */
	@Test
	void framesOutOfBoundsAreRefused() {
		String room = server.honestRoom();
		List<String> heads = new ArrayList<>();
		for (String destination : List.of("/topic/**", "/topic/*", "/topic/rooms.*", "/topic/rooms.#", "/topic/rooms.>",
				"/topic/rooms." + room + ",x", "/topic/rooms." + room + ".signals.x", "/topic/rooms." + room + "/x",
				"/topic/rooms." + room, "/topic/rooms." + room + ".signals", "/user/anna/queue/events",
				"/queue/events-useranna", "/user/queue/events\\n", "/queue/**", "/exchange/amq.topic/rooms." + room,
				"/amq/queue/stomp-subscription", "/temp-queue/x", "/topic/rooms.\\c" + room,
				"/topic/rooms.\\n" + room)) {
			heads.add("SUBSCRIBE\nid:s" + heads.size() + "\ndestination:" + destination);
		}
		for (String destination : List.of("/topic/rooms." + room, "/topic/rooms." + room + ".signals",
				"/queue/events-useranna", "/user/anna/queue/events", "/user/queue/events",
				"/app/rooms." + room + ".send", "/app/rooms." + room + ".typing", "/app/rooms." + room + ".read",
				"/app/../topic/rooms." + room, "/exchange/amq.topic/rooms." + room,
				"/app/rooms." + room + ".send\\ndestination\\c/topic/x")) {
			heads.add("SEND\ndestination:" + destination);
		}
		heads
			.add("SUBSCRIBE\nid:x\ndestination:/user/queue/events\nselector:T(java.lang.Runtime).getRuntime().exit(1)");
		heads.add("SEND\ndestination:/app/token\n" + "x:y\n".repeat(100) + header(40));
		heads.add("ACK\nid:1");
		heads.add("BEGIN\ntransaction:t");
		try (RawStomp mallory = server.session("mallory")) {
			for (int i = 0; i < heads.size(); i++) {
				String head = heads.get(i);
				String body = head.startsWith("SEND") ? "{\"clientId\":\"x\",\"text\":\"forged by mallory\"}" : "";
				mallory.text(head + "\nreceipt:r" + i + "\n\n" + body + "\0");
				assertThat(mallory.awaitContaining("\"receipt\":\"r" + i + "\"")).as(head)
					.contains("\"type\":\"error\"")
					.doesNotContain(INSIDE)
					.doesNotContain("\"internal\"");
			}
			assertThat(mallory.frames()).noneMatch((frame) -> frame.startsWith("RECEIPT") && frame.contains(":r"));
		}
		assertThat(server.honestHistory()).noneMatch((event) -> event.toString().contains("mallory"));
	}

	private static String header(int count) {
		StringBuilder headers = new StringBuilder();
		for (int i = 0; i < count; i++) {
			headers.append("x").append(i).append(":y\n");
		}
		return headers.append("z:z").toString();
	}

	/** Each frame is sent on its own session, which may end; other sessions must not. */
	@Test
	void malformedFramesHarmNobody() throws Exception {
		String send = "SEND\ndestination:/app/token\n";
		List<String> frames = List.of("\0", "\n\n\0", "NONSENSE\n\n\0", "SEND", "SEND\nno-colon\n\n\0",
				send + "content-length:99999999999\n\nx\0", send + "content-length:-1\n\nx\0",
				send + "content-length:2147483648\n\nx\0", send + "content-length:x\n\nx\0",
				send + "content-length:0\n\nxyz\0", send + "content-length:1\n\nx", send + "a:\\x\n\n\0",
				send + "a:b\\\n\n\0", send + "a:\\u0000\n\n{}\0", send + header(10_000) + "\n\n{}\0",
				send + "a:" + "b".repeat(200_000) + "\n\n{}\0", send + "\n{}\0\0\0SEND\n\n\0", send + "\n{}\0garbage",
				"CONNECT\naccept-version:1.2\npasscode:" + server.token("guest") + "\n\n\0",
				"STOMP\naccept-version:9.9\nhost:x\n\n\0", "CONNECTED\nversion:1.2\n\n\0",
				"MESSAGE\nsubscription:me\n\nx\0", "ERROR\n\nx\0", "RECEIPT\nreceipt-id:1\n\n\0", "UNSUBSCRIBE\n\n\0",
				"UNSUBSCRIBE\nid:none\n\n\0", "DISCONNECT\nreceipt:d\n\n\0" + send + "\n{}\0",
				"SUBSCRIBE\nid:\ndestination:/user/queue/events\n\n\0",
				"SUBSCRIBE\nid:" + "i".repeat(100) + "\ndestination:/user/queue/events\n\n\0", "\ud83d\ude00\n\n\0");
		for (String frame : frames) {
			try (RawStomp mallory = server.session("mallory")) {
				mallory.text(frame);
				mallory.text("DISCONNECT\nreceipt:bye\n\n\0");
				mallory.awaitClosed();
				assertThat(mallory.frames()).as(frame.substring(0, Math.min(60, frame.length())))
					.allSatisfy((answer) -> assertThat(answer).doesNotContain(INSIDE).doesNotContain("\"internal\""))
					.noneMatch((answer) -> answer.contains("user-name:guest"));
			}
		}
		byte[][] messages = { {}, { (byte) 0xff, (byte) 0xfe }, { (byte) 0xc0, (byte) 0xaf }, { 0 },
				new byte[100_000] };
		for (int opcode : new int[] { 0x81, 0x82, 0x83, 0x8b, 0xc1, 0x80, 0x89 }) {
			for (byte[] message : messages) {
				try (RawStomp mallory = server.session("mallory")) {
					mallory.message(opcode, message);
					mallory.text("DISCONNECT\nreceipt:bye\n\n\0");
					mallory.awaitClosed();
				}
			}
		}
		// A length that is never sent, and a negative one.
		for (long length : new long[] { Long.MAX_VALUE, -1, 1L << 40 }) {
			try (RawStomp mallory = server.session("mallory")) {
				mallory.write(java.nio.ByteBuffer.allocate(14)
					.put((byte) 0x81)
					.put((byte) 0xff)
					.putLong(length)
					.putInt(0)
					.array());
				mallory.awaitClosed();
			}
		}
	}

	@Test
	void nothingIsDoneBeforeConnectAndAfterDisconnect() {
		String own = server.room("guest");
		for (String frame : List.of(
				"SEND\ndestination:/app/rooms.ROOM.send\n\n{\"clientId\":\"x\",\"text\":\"mallory\"}\0",
				"SUBSCRIBE\nid:s\ndestination:/topic/rooms.ROOM\n\n\0",
				"SUBSCRIBE\nid:s\ndestination:/user/queue/events\n\n\0", "DISCONNECT\n\n\0",
				"SEND\ndestination:/app/token\n\n{\"accessToken\":\"x\"}\0")) {
			try (RawStomp early = server.socket(server.stranger()).readOn()) {
				early.text(frame.replace("ROOM", server.honestRoom()));
				early.awaitClosed();
				assertThat(early.frames()).as(frame).noneMatch((answer) -> answer.startsWith("MESSAGE"));
			}
			// A member whose session has ended.
			try (RawStomp late = server.session("guest")) {
				late.frame("DISCONNECT", "", "receipt:bye");
				late.text(frame.replace("ROOM", own));
				late.awaitClosed();
			}
		}
		assertThat(AttackedServer
			.json(server.call(server.stranger(), "GET", "/api/rooms/" + own + "/messages", server.token("guest"), null))
			.path("events")
			.toString()).doesNotContain("mallory");
		assertThat(server.honestHistory()).noneMatch((event) -> event.toString().contains("mallory"));
	}

	@Test
	void headersCannotBeInjected() {
		String room = server.room("guest");
		try (RawStomp guest = server.session("guest")) {
			guest.frame("SUBSCRIBE", "", "id:a\\nposition\\c1\\n\\nforged", "destination:/topic/rooms." + room,
					"receipt:r\\nuser-name\\calice");
			String receipt = guest.await("the receipt",
					(frame) -> frame.startsWith("RECEIPT") && frame.contains("alice"));
			assertThat(receipt.lines()).noneMatch((line) -> line.startsWith("user-name:"));
			guest.frame("SEND", "{\"clientId\":\"c\\nposition:1\",\"text\":\"\\u0001\\n\\nposition:7\"}",
					"destination:/app/rooms." + room + ".send", "user-id:alice", "reply-to:/queue/x", "x-expires:1",
					"receipt:sent");
			guest.await("an answer", (frame) -> frame.contains("sent"));
			assertThat(guest.frames()).filteredOn((frame) -> frame.startsWith("MESSAGE"))
				.allSatisfy((frame) -> assertThat(frame.substring(0, frame.indexOf("\n\n")).lines())
					.noneMatch(
							(line) -> line.equals("position:1") || line.equals("position:7") || line.equals("forged"))
					.noneMatch((line) -> line.startsWith("user-id") || line.startsWith("reply-to")));
		}
	}

	@Test
	void numbersBeyondTheirRangeAreNoErrorsOfTheServer() {
		String token = server.token("guest");
		String room = server.room("guest");
		String path = "/api/rooms/" + room;
		for (String number : NUMBERS) {
			String query = java.net.URLEncoder.encode(number, java.nio.charset.StandardCharsets.UTF_8);
			List<RawHttp.Answer> answers = List.of(
					server.call("127.9.9.9", "PUT", path + "/read", token, "{\"position\":" + number + "}"),
					server.call("127.9.9.9", "GET", path + "/messages?after=" + query, token, null),
					server.call("127.9.9.9", "GET", path + "/messages?before=" + query, token, null),
					server.call("127.9.9.9", "GET", path + "/messages?limit=" + query, token, null),
					server.call("127.9.9.9", "POST", "/api/rooms", token,
							"{\"name\":\"n\",\"kind\":\"group\",\"capacity\":" + number + "}"),
					server.call("127.9.9.9", "POST", path + "/messages", token,
							"{\"clientId\":\"n" + number.hashCode() + "\",\"text\":\"x\",\"number\":1,\"own\":" + number
									+ "}"),
					server.call("127.9.9.9", "POST", path + "/messages", token,
							"{\"clientId\":\"o" + number.hashCode() + "\",\"text\":\"x\",\"own\":" + number + "}"),
					server.call("127.9.9.9", "GET", "/api/push/log?user=guest&room=" + room + "&position=" + query,
							server.token("guest"), null),
					server.call("127.9.9.9", "PUT", path + "/notifications", token, "{\"level\":" + number + "}"),
					server.call("127.9.9.9", "PUT", "/api/me/notifications", token,
							"{\"level\":\"all\",\"mutedUntil\":" + number + "}"));
			assertThat(answers).as(number.substring(0, Math.min(30, number.length())))
				.allMatch((answer) -> answer.status() < 500)
				.allSatisfy((answer) -> assertThat(answer.body()).doesNotContain(INSIDE));
		}
		try (RawStomp guest = server.session("guest")) {
			for (int i = 0; i < NUMBERS.size(); i++) {
				String number = NUMBERS.get(i);
				guest.frame("SUBSCRIBE", "", "id:s" + i, "destination:/topic/rooms." + room, "after:" + number,
						"receipt:sub" + i);
				guest.frame("UNSUBSCRIBE", "", "id:s" + i);
				guest.frame("SEND", "{\"position\":" + number + "}", "destination:/app/rooms." + room + ".read",
						"receipt:read" + i);
				String as = number.substring(0, Math.min(30, number.length()));
				int round = i;
				assertThat(guest.await("an answer to " + as,
						(frame) -> frame.contains("sub" + round + "\n") || frame.contains("\"sub" + round + "\"")))
					.doesNotContain("\"internal\"");
				assertThat(guest.await("an answer to " + as,
						(frame) -> frame.contains("read" + round + "\n") || frame.contains("\"read" + round + "\"")))
					.doesNotContain("\"internal\"");
			}
		}
		JsonNode page = AttackedServer
			.json(server.call(server.stranger(), "GET", path + "/messages?limit=200", token, null));
		assertThat(page.path("events")).isNotEmpty();
	}

	/**
	 * One connection, one request: the body of a request must never be answered as a
	 * second request.
	 */
	@Test
	void aRequestInsideARequestIsNotAnswered() throws IOException {
		String inner = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
		String post = "POST /api/auth/refresh HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
		String chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
		Map<String, String> requests = Map.ofEntries(
				Map.entry("quoted chunk extension",
						chunked + "1;a=\"\r\nX\r\n0\r\n\r\n" + inner + "\"\r\nY\r\n0\r\n\r\n"),
				Map.entry("quoted extension, escaped quote",
						chunked + "1;a=\"\\\"\r\nX\r\n0\r\n\r\n" + inner + "\r\n0\r\n\r\n"),
				Map.entry("quoted extension of the last chunk",
						chunked + "1\r\nX\r\n0;a=\"\r\n\r\n" + inner + "\"\r\n\r\n"),
				Map.entry("length and chunks",
						post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner),
				Map.entry("two lengths",
						post + "Content-Length: 0\r\nContent-Length: " + inner.length() + "\r\n\r\n" + inner),
				Map.entry("a list of lengths", post + "Content-Length: 0, " + inner.length() + "\r\n\r\n" + inner),
				Map.entry("a length with a sign", post + "Content-Length: +0\r\n\r\n" + inner),
				Map.entry("a negative length", post + "Content-Length: -1\r\n\r\n" + inner),
				Map.entry("chunked twice", post + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n" + inner),
				Map.entry("chunked, then identity",
						post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + inner),
				Map.entry("an unknown coding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + inner),
				Map.entry("a space before the colon", post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + inner),
				Map.entry("a folded header", post + "X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner),
				Map.entry("a chunk of a hexadecimal prefix", chunked + "0x0\r\n\r\n" + inner),
				Map.entry("a negative chunk", chunked + "-1\r\n\r\n" + inner),
				Map.entry("a chunk beyond 64 bits", chunked + "10000000000000000\r\n\r\n" + inner));
		requests.forEach((name, request) -> {
			RawHttp http = server.http(server.stranger());
			http.send(request);
			try {
				http.endOutput();
				String answers = http.readAll();
				String body = answers.substring(answers.indexOf("\r\n\r\n") + 4);
				// If the length was accepted, the next response belongs to a request
				// of the client itself.
				assertThat(body).as("%s: %s", name, answers).doesNotContain("HTTP/1.1 200");
			}
			catch (IOException ex) {
				throw new AssertionError(name, ex);
			}
		});
	}

	@Test
	void nothingOfTheInsideIsReachedThroughTheFront() {
		String token = server.token("mallory");
		for (String path : List.of("/actuator", "/actuator/health", "/actuator/env", "/actuator/heapdump",
				"/actuator/prometheus", "/actuator/loggers", "/actuator/shutdown", "/%61ctuator/env", "/actuator;/env",
				"/x/../actuator/env", "//actuator/env", "/..;/actuator/env", "/api/..;/actuator/env", "/h2-console",
				"/error", "/WEB-INF/web.xml", "/META-INF/MANIFEST.MF", "/application.yml", "/client/../application.yml",
				"/client/%2e%2e/application.yml", "/client/..%2fapplication.yml", "/client/%252e%252e/application.yml",
				"/data/keys/jwt-private.pem", "/../data/keys/jwt-private.pem", "/%2e%2e/data/keys/jwt-private.pem")) {
			for (String method : List.of("GET", "POST", "TRACE")) {
				RawHttp.Answer answer = server.call("127.9.9.8", method, path, token, null);
				assertThat(answer.status()).as("%s %s: %s", method, path, answer).isIn(400, 401, 403, 404, 405, 500);
				assertThat(answer.status()).as("%s %s: %s", method, path, answer)
					.satisfies((status) -> assertThat(status == 500 && !path.equals("/error")).isFalse());
				assertThat(answer.body()).as(path)
					.doesNotContain("jvm_memory", "PRIVATE KEY", "spring:", "chat.security", "systemProperties");
			}
		}
		// These paths exist on the management port, which is not exposed.
		assertThat(server.managementUrl().getPort()).isNotEqualTo(server.url().getPort());
	}

	@Test
	void aStrangerLearnsNothingOfARoom() {
		String room = server.honestRoom();
		String token = server.token("mallory");
		String path = "/api/rooms/" + room;
		for (String target : List.of(path, path + "/messages", path + "/messages?after=0", path + "/notifications")) {
			assertThat(server.call(server.stranger(), "GET", target, token, null).status()).as(target).isIn(403, 404);
		}
		assertThat(server.call(server.stranger(), "PUT", path + "/read", token, "{\"position\":1}").status()).isIn(403,
				404);
		assertThat(
				server.call(server.stranger(), "PUT", path + "/notifications", token, "{\"level\":\"all\"}").status())
			.isIn(403, 404);
		assertThat(server
			.call(server.stranger(), "POST", path + "/messages", token, "{\"clientId\":\"c\",\"text\":\"mallory\"}")
			.status()).isIn(403, 404);
		assertThat(
				server.call(server.stranger(), "POST", path + "/members", token, "{\"username\":\"guest\"}").status())
			.isIn(403, 404);
		assertThat(server.call(server.stranger(), "DELETE", path + "/members/anna", token, null).status()).isIn(403,
				404);
		assertThat(server.call(server.stranger(), "GET", "/api/push/log?user=anna&room=" + room, token, null).status())
			.isIn(403, 404);
		assertThat(server.call(server.stranger(), "GET", "/api/rooms", token, null).body()).doesNotContain(room);
		try (RawStomp mallory = server.session("mallory")) {
			for (String topic : List.of("/topic/rooms." + room, "/topic/rooms." + room + ".signals")) {
				mallory.frame("SUBSCRIBE", "", "id:" + topic.length(), "destination:" + topic, "after:0",
						"receipt:r" + topic.length());
				assertThat(mallory.awaitContaining("\"r" + topic.length() + "\"")).contains("not-a-member");
			}
			server.honest().awaitMore();
			assertThat(mallory.frames()).noneMatch((frame) -> frame.contains("\ndestination:/topic/rooms."));
		}
		assertThat(server.honestHistory()).noneMatch((event) -> event.toString().contains("mallory"));
	}

	/** The responses do not reveal which rooms exist. */
	@Test
	void aRoomOfOthersLooksLikeOneThatDoesNotExist() {
		String token = server.token("mallory");
		for (String rest : List.of("", "/messages", "/notifications")) {
			assertThat(server.call(server.stranger(), "GET", "/api/rooms/" + server.honestRoom() + rest, token, null)
				.status())
				.isEqualTo(server.call(server.stranger(), "GET", "/api/rooms/NoSuchRoom" + rest, token, null).status());
		}
	}

	/** On the open socket, on a new one and over HTTP. */
	@Test
	void aRemovedMemberGetsNothingMore() {
		String room = server.room("owner", "removed", "stays");
		try (RawStomp removed = server.session("removed"); RawStomp stays = server.session("stays")) {
			for (RawStomp each : List.of(removed, stays)) {
				each.frame("SUBSCRIBE", "", "id:s", "destination:/topic/rooms." + room, "receipt:s");
				each.frame("SUBSCRIBE", "", "id:t", "destination:/topic/rooms." + room + ".signals", "receipt:t");
				each.awaitContaining("receipt-id:s");
				each.awaitContaining("receipt-id:t");
			}
			assertThat(server
				.call(server.stranger(), "DELETE", "/api/rooms/" + room + "/members/removed", server.token("owner"),
						null)
				.status()).isEqualTo(204);
			removed.awaitContaining("room.removed");
			server.call(server.stranger(), "POST", "/api/rooms/" + room + "/messages", server.token("owner"),
					"{\"clientId\":\"c1\",\"text\":\"behind closed doors\"}");
			stays.frame("SEND", "{}", "destination:/app/rooms." + room + ".typing");
			stays.awaitContaining("behind closed doors");
			stays.awaitContaining("\"type\":\"typing\"");
			Map.of("send", "{\"clientId\":\"x\",\"text\":\"x\"}", "typing", "{}", "read", "{\"position\":1}")
				.forEach((verb, body) -> {
					removed.frame("SEND", body, "destination:/app/rooms." + room + "." + verb, "receipt:" + verb);
					assertThat(removed.awaitContaining("\"receipt\":\"" + verb + "\"")).contains("not-a-member");
				});
			try (RawStomp again = server.session("removed")) {
				again.frame("SUBSCRIBE", "", "id:s", "destination:/topic/rooms." + room, "after:0", "receipt:again");
				assertThat(again.awaitContaining("\"again\"")).contains("not-a-member");
			}
			assertThat(server
				.call(server.stranger(), "GET", "/api/rooms/" + room + "/messages", server.token("removed"), null)
				.status()).isEqualTo(403);
			assertThat(server
				.call(server.stranger(), "POST", "/api/rooms/" + room + "/members", server.token("removed"),
						"{\"username\":\"removed\"}")
				.status()).as("rejoins").isEqualTo(404);
			assertThat(server.call(server.stranger(), "GET", "/api/rooms", server.token("removed"), null).body())
				.doesNotContain(room);
			assertThat(removed.frames()).noneMatch((frame) -> frame.contains("behind closed doors"))
				.noneMatch((frame) -> frame.contains("\"type\":\"typing\""));
		}
	}

}
