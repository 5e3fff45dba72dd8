package io.parley.conformance.authorization;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import io.parley.server.error.ErrorCode;
import io.parley.server.testing.AuthorizationTable.Row;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.StompConnection;

import static org.assertj.core.api.Assertions.assertThat;

/** Makes the calls of the table and tells their outcome in the words of the table. */
final class Calls {

	private static final String USER_EVENTS = "/user/queue/events";

	private final ChatServer server;

	Calls(ChatServer server) {
		this.server = server;
	}

	/** Makes the call; a frame in a session of its own. */
	String outcome(Row row, Situation situation) {
		return row.isFrame() ? frame(row, situation) : request(row, situation);
	}

	private String request(Row row, Situation situation) {
		String outcome = request(row.method(), situation.target(row), row, situation);
		if (row.method().equals("GET")) {
			int head = api(situation).exchange("HEAD", situation.target(row), "").status();
			assertThat(head).as("HEAD %s", row).isEqualTo(status(outcome));
		}
		return outcome;
	}

	/** Makes the call to another path or by another method. */
	String request(String method, String path, Row row, Situation situation) {
		ChatApi.Answer answer = api(situation).exchange(method, path, situation.body(row));
		String outcome = answer.code().isEmpty() ? String.valueOf(answer.status()) : answer.code();
		if (!answer.code().isEmpty()) {
			assertThat(answer.status()).as("status of %s", outcome).isEqualTo(status(outcome));
		}
		return outcome;
	}

	private ChatApi api(Situation situation) {
		return new ChatApi(this.server, "caller", situation.token());
	}

	private static int status(String outcome) {
		return Arrays.stream(ErrorCode.values())
			.filter((code) -> code.code().equals(outcome))
			.map((code) -> code.status().value())
			.findAny()
			.orElseGet(() -> Integer.valueOf(outcome));
	}

	private String frame(Row row, Situation situation) {
		try (StompConnection session = StompConnection.open(this.server)) {
			String connected = connect(session, situation);
			if (!connected.equals("ok") || row.method().equals("CONNECT")) {
				return connected;
			}
			if (!row.endpoint().equals(USER_EVENTS) || row.method().equals("SEND")) {
				session.subscribe("me", USER_EVENTS);
			}
			return frame(row, situation, session);
		}
	}

	/** Returns {@code ok} or the code of the ERROR. */
	static String connect(StompConnection session, Situation situation) {
		Map<String, String> headers = new HashMap<>(Map.of("accept-version", "1.2", "host", "chat"));
		if (!situation.token().isEmpty()) {
			headers.put("Authorization", "Bearer " + situation.token());
		}
		session.send("CONNECT", headers, "");
		Frame answer = session.expect((frame) -> frame.is("CONNECTED") || frame.is("ERROR"));
		return answer.is("CONNECTED") ? "ok" : answer.header("message");
	}

	/** Sends the frame in a session that receives its user's events as {@code me}. */
	String frame(Row row, Situation situation, StompConnection session) {
		Map<String, String> headers = new HashMap<>(Map.of("destination", situation.target(row)));
		if (row.method().equals("SUBSCRIBE")) {
			headers.put("id", "call");
		}
		if (!row.item("after").isEmpty()) {
			headers.put("after", row.item("after"));
		}
		String receipt = session.sendWithReceipt(row.method(), headers, situation.body(row));
		Frame answer = session.expect((frame) -> frame.isReceipt(receipt) || isErrorOf(frame, receipt));
		return answer.is("RECEIPT") ? "ok" : answer.json().path("code").asString();
	}

	private static boolean isErrorOf(Frame frame, String receipt) {
		return frame.isMessageOf("me") && frame.json().path("receipt").asString("").equals(receipt);
	}

}
