package io.parley.loadtest.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.faults.Action.Kind;
import io.parley.loadtest.faults.PlainServer.Pair;
import io.parley.loadtest.faults.PlainServer.Peer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ProxyTests {

	private static final String EVENT = "MESSAGE\nsubscription:s\nposition:7\n\n{}\0";

	private static final String OTHER_EVENT = "MESSAGE\nsubscription:s\nposition:8\n\n{}\0";

	private static final String ANSWER = "MESSAGE\nsubscription:s\n\n\nposition:7\0";

	/** Nothing happens at such a time. */
	private static final String NEVER = "after 24h cut";

	private final AtomicInteger done = new AtomicInteger();

	private PlainServer server;

	private Proxy proxy;

	private Counts counts;

	@BeforeEach
	void startServer() throws IOException {
		this.server = new PlainServer();
	}

	@AfterEach
	void stop() throws IOException {
		this.proxy.close();
		this.server.close();
	}

	@Test
	void forwardsBytesFramesAndTheEndsOfBothSides() throws Exception {
		start(NEVER);
		try (Peer client = Peer.connect(this.proxy)) {
			client.write("GET / HTTP/1.1\r\n\r\n");
			try (Peer peer = this.server.accept()) {
				assertThat(peer.read(18)).isEqualTo("GET / HTTP/1.1\r\n\r\n");
				peer.write("HTTP/1.1 200");
				assertThat(client.read(12)).isEqualTo("HTTP/1.1 200");
				client.socket().shutdownOutput();
				assertThat(peer.rest()).isEmpty();
				peer.write("later");
			}
			assertThat(client.rest()).isEqualTo("later");
		}
		try (Pair pair = this.server.webSocket(this.proxy)) {
			String large = "x".repeat(60_000);
			pair.server().frame(large);
			pair.server().frame("\n");
			assertThat(pair.client().frame()).isEqualTo(large);
			assertThat(pair.client().frame()).isEqualTo("\n");
			// A masked frame of a length that is not held.
			String huge = (char) 0x81 + "" + (char) 0xff + "\0\0\0\0\0\u0008\0\0" + "mask" + "y".repeat(0x80000);
			Thread.ofVirtual().start(() -> assertThat(write(pair.client(), huge)).isTrue());
			assertThat(pair.server().read(huge.length())).isEqualTo(huge);
			pair.client().socket().shutdownOutput();
			assertThat(pair.server().rest()).isEmpty();
		}
		assertThat(this.counts.connections.sum()).isEqualTo(2);
		assertThat(this.counts.webSockets.sum()).isOne();
		assertThat(this.counts.bytesToClient.sum()).isEqualTo(12 + 5 + PlainServer.SWITCHING.length() + 60_004 + 3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "reset", "end" })
	void cutsEachWebSocketAfterAFrame(String how) throws Exception {
		start("after 2 frames to client cut by " + how);
		for (int n = 0; n < 2; n++) {
			try (Pair pair = this.server.webSocket(this.proxy)) {
				pair.server().frame("\n");
				pair.server().frame("one");
				pair.server().frame("two");
				assertThat(pair.client().read(3 + 5 + 5)).endsWith("two");
				if (how.equals("reset")) {
					assertThatExceptionOfType(SocketException.class)
						.isThrownBy(() -> pair.client().socket().getInputStream().read());
				}
				else {
					assertThat(pair.client().socket().getInputStream().read()).isEqualTo(-1);
				}
				assertThat(pair.server().rest()).isEmpty();
			}
		}
		assertThat(this.counts.of(Kind.CUT)).isEqualTo(2);
	}

	@Test
	void cutsByTheClockUntilAllCutsAreDone() throws Exception {
		start(3, "every 1ms..2ms cut websockets");
		this.proxy.start();
		for (int n = 0; n < 3; n++) {
			try (Peer client = Peer.connect(this.proxy)) {
				client.write("GET");
				try (Peer peer = this.server.accept()) {
					peer.write(PlainServer.SWITCHING);
					client.rest();
					peer.rest();
				}
			}
		}
		try (Pair pair = this.server.webSocket(this.proxy)) {
			pair.server().frame("still there");
			assertThat(pair.client().frame()).isEqualTo("still there");
		}
		assertThat(this.counts.of(Kind.CUT)).isEqualTo(3);
		assertThat(this.done).hasValue(1);
	}

	@Test
	void forwardsAPartOfAFrame() throws Exception {
		start("after 1 frames to client cut-inside to client");
		for (int n = 0; n < 20; n++) {
			try (Pair pair = this.server.webSocket(this.proxy)) {
				pair.server().frame("first");
				pair.server().frame("second");
				String rest = pair.client().rest();
				assertThat(rest).startsWith(PlainServer.frame("first"))
					.hasSizeGreaterThan(PlainServer.frame("first").length());
				assertThat(PlainServer.frame("first") + PlainServer.frame("second")).startsWith(rest)
					.hasSizeGreaterThan(rest.length());
			}
		}
		assertThat(this.counts.of(Kind.CUT_INSIDE)).isEqualTo(20);
	}

	@Test
	void forwardsNothingWhileHalfOpen() throws Exception {
		start("after 1 frames to client half-open for 1h");
		try (Pair pair = this.server.webSocket(this.proxy)) {
			pair.server().frame("one");
			pair.server().frame("two");
			pair.client().frame("three");
			assertThat(pair.client().frame()).isEqualTo("one");
			pair.client().socket().setSoTimeout(50);
			assertThatExceptionOfType(SocketTimeoutException.class)
				.isThrownBy(() -> pair.client().socket().getInputStream().read());
		}
		assertThat(this.counts.of(Kind.HALF_OPEN)).isOne();
	}

	@Test
	void endsAConnectionOnce() throws Exception {
		start("after 1 frames to client half-open for 50ms", "after 1 frames to client cut-inside",
				"after 1 frames to client cut");
		try (Pair pair = this.server.webSocket(this.proxy)) {
			pair.server().frame("one");
			pair.server().frame("two");
			assertThat(pair.client().rest()).isEqualTo(PlainServer.frame("one"));
		}
		assertThat(List.of(this.counts.of(Kind.HALF_OPEN), this.counts.of(Kind.CUT_INSIDE), this.counts.of(Kind.CUT)))
			.containsExactly(1L, 0L, 0L);
	}

	@Test
	void delaysOneDirectionInOrder() throws Exception {
		start("after 1 frames to client delay to client by 40ms..60ms for 1h");
		try (Pair pair = this.server.webSocket(this.proxy)) {
			pair.server().frame("one");
			assertThat(pair.client().frame()).isEqualTo("one");
			Awaitility.await().until(() -> this.counts.of(Kind.DELAY) == 1);
			long before = System.nanoTime();
			pair.server().frame("two");
			pair.server().frame("three");
			assertThat(pair.client().frame()).isEqualTo("two");
			assertThat(pair.client().frame()).isEqualTo("three");
			assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(80_000_000);
		}
	}

	@Test
	void leavesOutOrRepeatsTheNextEventOfARoomOnly() throws Exception {
		start("after 1 frames to client omit", "after 4 frames to client repeat");
		try (Pair pair = this.server.webSocket(this.proxy)) {
			for (String frame : List.of("CONNECTED\n\n\0", ANSWER, EVENT, OTHER_EVENT, ANSWER, EVENT, "end")) {
				pair.server().frame(frame);
			}
			for (String frame : List.of("CONNECTED\n\n\0", ANSWER, OTHER_EVENT, ANSWER, EVENT, EVENT, "end")) {
				assertThat(pair.client().frame()).isEqualTo(frame);
			}
		}
		assertThat(List.of(this.counts.of(Kind.OMIT), this.counts.of(Kind.REPEAT))).containsOnly(1L);
	}

	@Test
	void cutsInsteadOfTellingThatAMessageWasAccepted() throws Exception {
		start("after 1 frames to client swallow-receipt");
		for (String told : List.of("RECEIPT\nreceipt-id:r1\n\n\0", "MESSAGE\n\n{\"type\":\"accepted\"}\0")) {
			try (Pair pair = this.server.webSocket(this.proxy)) {
				for (String frame : List.of("CONNECTED\n\n\0", EVENT, told)) {
					pair.server().frame(frame);
				}
				assertThat(pair.client().rest())
					.isEqualTo(PlainServer.frame("CONNECTED\n\n\0") + PlainServer.frame(EVENT));
			}
		}
		assertThat(this.counts.of(Kind.SWALLOW_RECEIPT)).isEqualTo(2);
	}

	@Test
	void closesWithACode() throws Exception {
		start("after 1 frames to client close with 4401");
		try (Pair pair = this.server.webSocket(this.proxy)) {
			// Unread bytes must not take the close frame away.
			pair.client().frame("unread");
			pair.server().frame("one");
			pair.server().frame("two");
			assertThat(pair.client().frame()).isEqualTo("one");
			assertThat(pair.client().read(4)).isEqualTo("\u0088\u0002" + (char) (4401 >> 8) + (char) (4401 & 0xff));
			assertThat(pair.client().rest()).isEmpty();
		}
		assertThat(this.counts.of(Kind.CLOSE)).isOne();
	}

	@Test
	void tricklesOneDirection() throws Exception {
		start("after 1 frames to client trickle to client for 1h");
		try (Pair pair = this.server.webSocket(this.proxy)) {
			pair.server().frame("one");
			assertThat(pair.client().frame()).isEqualTo("one");
			// The fault has begun when the next frame arrives.
			pair.server().frame("two");
			assertThat(pair.client().frame()).isEqualTo("two");
			long before = System.nanoTime();
			pair.server().frame("x".repeat(198));
			assertThat(pair.client().frame()).hasSize(198);
			// Five parts, each after 50 ms.
			assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(250_000_000);
			assertThat(this.counts.of(Kind.TRICKLE)).isOne();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 100, 300 })
	void changesThePositionOfTheNextResumeOnly(int padding) throws Exception {
		start("after 1 frames to server stale-after");
		String pad = "pad:" + "x".repeat(padding) + "\n";
		String resume = "SUBSCRIBE\nid:s\n" + pad + "after:1099511627777\n\n\0";
		String first = "SUBSCRIBE\nid:s\n" + pad + "\nafter:7\0";
		try (Pair pair = this.server.webSocket(this.proxy)) {
			for (String frame : List.of("CONNECT\n\n\0", first, resume, resume)) {
				pair.client().write(PlainServer.maskedFrame(frame));
			}
			String stale = "SUBSCRIBE\nid:s\n" + pad + "after:1\n\n\0";
			for (String frame : List.of("CONNECT\n\n\0", first, stale, resume)) {
				String expected = PlainServer.maskedFrame(frame);
				assertThat(pair.server().read(expected.length())).isEqualTo(expected);
			}
		}
		assertThat(this.counts.of(Kind.STALE_AFTER)).isOne();
	}

	@Test
	void answersNewConnectionsThatTheServerIsBusy() throws Exception {
		start("after 1 frames to client answer-503 for 1h");
		try (Pair pair = this.server.webSocket(this.proxy)) {
			pair.server().frame("one");
			assertThat(pair.client().frame()).isEqualTo("one");
			// The fault has begun when the next frame arrives.
			pair.server().frame("two");
			assertThat(pair.client().frame()).isEqualTo("two");
			try (Peer busy = Peer.connect(this.proxy)) {
				busy.write("POST /api/auth/login HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}");
				busy.socket().shutdownOutput();
				assertThat(busy.rest()).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1").endsWith("\r\n\r\n");
			}
			pair.server().frame("still there");
			assertThat(pair.client().frame()).isEqualTo("still there");
		}
		assertThat(List.of(this.counts.of(Kind.ANSWER_503), this.counts.refused.sum())).containsOnly(1L);
	}

	@Test
	void refusesNewConnectionsOnly() throws Exception {
		start("after 1 frames to client refuse for 1h");
		try (Pair pair = this.server.webSocket(this.proxy)) {
			pair.server().frame("one");
			pair.server().frame("two");
			assertThat(pair.client().frame()).isEqualTo("one");
			assertThat(pair.client().frame()).isEqualTo("two");
			try (Peer refused = Peer.connect(this.proxy)) {
				assertThat(refused.rest()).isEmpty();
			}
			pair.server().frame("three");
			assertThat(pair.client().frame()).isEqualTo("three");
		}
		assertThat(List.of(this.counts.of(Kind.REFUSE), this.counts.refused.sum())).containsOnly(1L);
	}

	@Test
	void servesAgainWhenTheTimeIsOver() throws Exception {
		start("after 1 frames to client refuse for 50ms");
		try (Pair pair = this.server.webSocket(this.proxy)) {
			pair.server().frame("one");
			pair.server().frame("two");
			pair.client().read(2 * 5);
		}
		Awaitility.await().until(() -> {
			Peer.connect(this.proxy).close();
			return this.server.hasConnection();
		});
		assertThat(this.counts.of(Kind.REFUSE)).isOne();
	}

	@Test
	void refusesMoreConnectionsThanAllowedAndServesAgainWhenThereIsPlace() throws Exception {
		start(1, Long.MAX_VALUE, "", NEVER);
		try (Pair first = this.server.webSocket(this.proxy); Peer second = Peer.connect(this.proxy)) {
			assertThat(second.rest()).isEmpty();
			first.server().frame("still there");
			assertThat(first.client().frame()).isEqualTo("still there");
		}
		Awaitility.await().until(() -> {
			Peer.connect(this.proxy).close();
			return this.server.hasConnection();
		});
	}

	/** The port is taken, but nobody listens: a free port might go to another test. */
	@Test
	void resetsWhenTheServerIsDown() throws Exception {
		try (Socket taken = new Socket()) {
			taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
			start((InetSocketAddress) taken.getLocalSocketAddress(), 10, Long.MAX_VALUE, "", NEVER);
			try (Peer client = Peer.connect(this.proxy)) {
				assertThat(client.rest()).isEmpty();
			}
		}
		assertThat(this.counts.unreachable.sum()).isOne();
	}

	@Test
	void runsTheRestartOnceAtATimeAndTellsOfItsFailure(@TempDir Path folder) throws Exception {
		Path runs = folder.resolve("runs");
		start(10, Long.MAX_VALUE, "echo run >> '" + runs + "'; until [ -e '" + folder.resolve("end")
				+ "' ]; do sleep 0.02;" + " done; exit 3", "every 1 frames to client restart");
		try (Pair pair = this.server.webSocket(this.proxy)) {
			pair.server().frame("one");
			pair.server().frame("two");
			pair.client().read(2 * 5);
			Awaitility.await().until(() -> Files.exists(runs));
			Files.createFile(folder.resolve("end"));
			Awaitility.await().until(() -> this.counts.failedRestarts.sum() == 1);
			assertThat(Files.readAllLines(runs)).hasSize(1);
			assertThat(this.counts.of(Kind.RESTART)).isOne();
		}
	}

	@Test
	void doesNotListenOnAPortThatIsInUse() throws Exception {
		start(NEVER);
		InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), this.proxy.port());
		assertThatExceptionOfType(LoadTestException.class)
			.isThrownBy(() -> new Proxy(taken, this.server.address(), 1, Script.parse("script", List.of(NEVER)), 1,
					this.counts, new Restart("", this.counts)))
			.withMessageContaining("choose another port with --listen");
	}

	private void start(String... lines) {
		start(Long.MAX_VALUE, lines);
	}

	private void start(long cuts, String... lines) {
		start(10, cuts, "", lines);
	}

	private void start(int connections, long cuts, String restart, String... lines) {
		start(this.server.address(), connections, cuts, restart, lines);
	}

	private void start(InetSocketAddress to, int connections, long cuts, String restart, String... lines) {
		this.counts = new Counts(cuts, this.done::incrementAndGet);
		this.proxy = new Proxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), to, connections,
				Script.parse("script", List.of(lines)), 1, this.counts, new Restart(restart, this.counts));
	}

	private static boolean write(Peer peer, String text) {
		try {
			peer.write(text);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
