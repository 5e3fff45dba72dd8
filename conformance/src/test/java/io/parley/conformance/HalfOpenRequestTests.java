package io.parley.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests whose bodies never arrive do not block other clients. */
@UnlimitedServer
class HalfOpenRequestTests {

	/** More than Jetty handles at once by default. */
	private static final int REQUESTS = 300;

	private static final String HALF = "POST /api/auth/login HTTP/1.1\r\nHost: x\r\n"
			+ "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";

	private final ChatServer server;

	private final List<Socket> open = new ArrayList<>();

	HalfOpenRequestTests(ChatServer server) {
		this.server = server;
	}

	@AfterEach
	void closeAll() throws IOException {
		for (Socket socket : this.open) {
			socket.close();
		}
	}

	@Test
	void bodiesThatNeverEndHoldUpNoChat() throws IOException {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.follow("s", room);
			for (int i = 0; i < REQUESTS; i++) {
				Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), this.server.port());
				this.open.add(socket);
				socket.getOutputStream().write(HALF.getBytes(StandardCharsets.US_ASCII));
			}
			for (int i = 0; i < 10; i++) {
				anna.expectReceipt(anna.say(room, "c" + i, "still here"));
				anna.expectMessage("s", "c" + i);
				this.server.user("bert").get("/api/rooms").expect(200);
			}
			try (StompConnection late = this.server.connect("bert")) {
				late.follow("s", room);
			}
		}
	}

}
