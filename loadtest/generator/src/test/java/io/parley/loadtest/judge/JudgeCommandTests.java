package io.parley.loadtest.judge;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.parley.loadtest.Console;
import io.parley.loadtest.LoadTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class JudgeCommandTests {

	private static final int MESSAGES = 450;

	@RegisterExtension
	private final Console console = new Console();

	private final StringWriter errors = new StringWriter();

	private HttpServer server;

	private int busy = 1;

	@TempDir
	private Path folder;

	@BeforeEach
	void startServer() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/api/auth/login", (exchange) -> answer(exchange, 200, "{\"accessToken\":\"t\"}"));
		this.server.createContext("/api/rooms/r/messages", this::history);
		this.server.start();
	}

	@AfterEach
	void stopServer() {
		this.server.stop(0);
	}

	@Test
	void passesAndReadsEachPageOfABusyServer() throws Exception {
		Path sent = write("sent", LongStream.rangeClosed(1, MESSAGES).mapToObj((n) -> "m" + n + " accepted").toList());
		Path received = write("received", LongStream.rangeClosed(1, MESSAGES).mapToObj(String::valueOf).toList());
		assertThat(
				run("--room", "r", "--sent", sent.toString(), "--received", received.toString(), received.toString()))
			.as("%s %s", this.console.output(), this.errors)
			.isZero();
		assertThat(this.console.output())
			.contains("Room r with 450 messages in its history", "PASSED: nothing was lost")
			.containsPattern("received +received +450 +0 +0 +0 +0");
	}

	@Test
	void failsWithExamples() throws Exception {
		Path received = write("received", List.of("1", "2", "2"));
		assertThat(run("--room", "r", "--received", received.toString())).isEqualTo(1);
		assertThat(this.console.output()).contains("FAILED: something was lost", "DOUBLED in ",
				"line 3: \"m2\" of alice", "\"m3\" of alice at position 3 was never shown", "… and 443 more");
	}

	@Test
	void saysWhatIsMissing() {
		assertThat(run("--room", "r")).isEqualTo(1);
		assertThat(this.errors.toString()).contains("Pass files that a client wrote");
		assertThat(run("--room", "r/x", "--sent", "x")).isEqualTo(1);
		assertThat(this.errors.toString()).contains("--room r/x is not the id of a room");
		assertThat(run("--sent", "x")).isEqualTo(2);
	}

	private int run(String... options) {
		CommandLine commandLine = LoadTest.commandLine().setErr(new PrintWriter(this.errors, true));
		String url = "http://127.0.0.1:" + this.server.getAddress().getPort();
		return commandLine.execute(Console.join(new String[] { "judge", "--url", url }, options));
	}

	private Path write(String name, List<String> lines) throws IOException {
		return Files.write(this.folder.resolve(name), lines);
	}

	private void history(HttpExchange exchange) throws IOException {
		String query = exchange.getRequestURI().getQuery();
		if (!query.contains("after=")) {
			answer(exchange, 200, "{\"events\":[],\"head\":" + MESSAGES + "}");
		}
		else if (this.busy-- > 0) {
			answer(exchange, 503, "{}");
		}
		else {
			long after = Long.parseLong(query.replaceAll(".*after=", ""));
			String events = LongStream.rangeClosed(after + 1, Math.min(after + 200, MESSAGES))
				.mapToObj((n) -> """
						{"type":"message.posted","position":%1$d,"sender":"alice","clientId":"m%1$d","text":"%1$d"}"""
					.formatted(n))
				.collect(Collectors.joining(","));
			answer(exchange, 200, "{\"events\":[" + events + "]}");
		}
	}

	private static void answer(HttpExchange exchange, int status, String body) throws IOException {
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(status, bytes.length);
		try (OutputStream out = exchange.getResponseBody()) {
			out.write(bytes);
		}
	}

}
