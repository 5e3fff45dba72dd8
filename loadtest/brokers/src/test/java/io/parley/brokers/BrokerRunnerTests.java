package io.parley.brokers;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class BrokerRunnerTests {

	private static final int LONGEST_WAIT = (int) Duration.ofSeconds(30).toMillis();

	@ParameterizedTest
	@ValueSource(strings = { "artemis", "activemq" })
	void bringsAMessageToASubscriberAndEndsWhenItIsClosed(String kind) throws IOException {
		int port = freePort();
		try (Broker broker = BrokerRunner.start(kind, port); Socket socket = new Socket("127.0.0.1", port)) {
			socket.setSoTimeout(LONGEST_WAIT);
			assertThat(broker.name()).startsWith("ActiveMQ");
			assertThat(ask(socket, "CONNECT\naccept-version:1.2\nhost:/\n\n")).startsWith("CONNECTED");
			assertThat(ask(socket, "SUBSCRIBE\nid:1\ndestination:/topic/rooms.x\nreceipt:a\n\n")).startsWith("RECEIPT");
			assertThat(ask(socket, "SEND\ndestination:/topic/rooms.x\n\nhello")).startsWith("MESSAGE")
				.endsWith("\n\nhello");
		}
		// If the port can be bound, no process is using it.
		new ServerSocket(port).close();
	}

	private static String ask(Socket socket, String frame) throws IOException {
		socket.getOutputStream().write((frame + '\0').getBytes(StandardCharsets.UTF_8));
		StringBuilder answer = new StringBuilder();
		InputStream in = socket.getInputStream();
		for (int next = in.read(); next > 0; next = in.read()) {
			answer.append((char) next);
		}
		return answer.toString().strip();
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}
