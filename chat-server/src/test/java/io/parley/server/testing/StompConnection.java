package io.parley.server.testing;

import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import tools.jackson.databind.JsonNode;

/** A client: sends frames, also malformed ones, and keeps all that come in order. */
public final class StompConnection implements AutoCloseable {

	static {
		// Left alone, the system lets it grow to tens of megabytes: a server would wait
		// late for a client that does not read.
		System.setProperty("jdk.httpclient.receiveBufferSize", String.valueOf(128 * 1024));
	}

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final FrameLog log = new FrameLog();

	private final AtomicInteger receipts = new AtomicInteger();

	private final WebSocket socket;

	private StompConnection(ChatServer server) {
		this.socket = CLIENT.newWebSocketBuilder()
			.subprotocols("v12.stomp", "v11.stomp", "v10.stomp")
			.buildAsync(server.webSocket(), this.log)
			.orTimeout(30, TimeUnit.SECONDS)
			.join();
	}

	/** A socket without CONNECT. */
	public static StompConnection open(ChatServer server) {
		return new StompConnection(server);
	}

	public StompConnection connect(String token) {
		send("CONNECT", Map.of("accept-version", "1.2", "host", "chat", "Authorization", "Bearer " + token), "");
		Frame answer = expect((frame) -> frame.is("CONNECTED") || frame.is("ERROR"));
		if (!answer.is("CONNECTED")) {
			throw new AssertionError(answer.toString());
		}
		return this;
	}

	/** Sends what it is given, as one text message. */
	public synchronized void text(String raw) {
		await(this.socket.sendText(raw, true));
	}

	/** Sends what it is given, as one binary message. */
	public synchronized void binary(byte[] raw) {
		await(this.socket.sendBinary(ByteBuffer.wrap(raw), true));
	}

	/** Sends what the server may refuse before it has read all of it. */
	public synchronized void tooLarge(String raw) {
		this.socket.sendText(raw, true);
	}

	/** Sends what the server may refuse before it has read all of it. */
	public synchronized void tooLarge(byte[] raw) {
		this.socket.sendBinary(ByteBuffer.wrap(raw), true);
	}

	/** Sends one text message; false when the socket does not take it any more. */
	public synchronized boolean offer(String raw) {
		return this.socket.sendText(raw, true)
			.orTimeout(60, TimeUnit.SECONDS)
			.handle((sent, failure) -> failure == null)
			.join();
	}

	/** Sends one binary message as two frames of WebSocket. */
	public synchronized void inTwo(byte[] raw, int split) {
		await(this.socket.sendBinary(ByteBuffer.wrap(raw, 0, split), false));
		await(this.socket.sendBinary(ByteBuffer.wrap(raw, split, raw.length - split), true));
	}

	/** A control frame of WebSocket, not of STOMP. */
	public synchronized void ping(String payload) {
		await(this.socket.sendPing(ByteBuffer.wrap(bytes(payload))));
	}

	/** The answers to {@link #ping}. */
	public List<String> pongs() {
		return this.log.pongs();
	}

	private static void await(CompletableFuture<?> sending) {
		sending.orTimeout(60, TimeUnit.SECONDS).join();
	}

	public void send(String command, Map<String, String> headers, String body) {
		text(Frame.encode(command, headers, body));
	}

	/** Sends a frame with a receipt header and gives the id of the receipt. */
	public String sendWithReceipt(String command, Map<String, String> headers, String body) {
		String receipt = "r" + this.receipts.incrementAndGet();
		Map<String, String> all = new LinkedHashMap<>(headers);
		all.put("receipt", receipt);
		send(command, all, body);
		return receipt;
	}

	/** Sends a frame and waits for its receipt. */
	public void confirmed(String command, Map<String, String> headers, String body) {
		expectReceipt(sendWithReceipt(command, headers, body));
	}

	public void subscribe(String id, String destination) {
		confirmed("SUBSCRIBE", Map.of("id", id, "destination", destination), "");
	}

	/** Subscribes to the events of a room and gives the {@code subscribed} event. */
	public JsonNode follow(String id, String room) {
		subscribe(id, "/topic/rooms." + room);
		return events(id).getFirst();
	}

	/** The same from a position on. */
	public JsonNode follow(String id, String room, long after) {
		confirmed("SUBSCRIBE", Map.of("id", id, "destination", "/topic/rooms." + room, "after", String.valueOf(after)),
				"");
		return events(id).getFirst();
	}

	public void unsubscribe(String id) {
		confirmed("UNSUBSCRIBE", Map.of("id", id), "");
	}

	/** Sends a message, asks for a receipt and does not wait for it. */
	public String say(String room, String clientId, String text) {
		return sendWithReceipt("SEND", Map.of("destination", "/app/rooms." + room + ".send"),
				ChatApi.JSON.writeValueAsString(Map.of("clientId", clientId, "text", text)));
	}

	/** Sends a frame to the application and gives the {@code error} event it ends in. */
	public JsonNode refusal(String destination, String body) {
		return refusal("SEND", Map.of("destination", destination), body);
	}

	/** Sends a frame and gives the {@code error} event it ends in. */
	public JsonNode refusal(String command, Map<String, String> headers, String body) {
		String receipt = sendWithReceipt(command, headers, body);
		return expectEvent("me", (event) -> event.path("type").asString().equals("error")
				&& event.path("receipt").asString("").equals(receipt));
	}

	public void expectReceipt(String id) {
		expect((frame) -> frame.isReceipt(id));
	}

	/** Waits for each of these, in one look through what came. */
	public void expectReceipts(Collection<String> ids) {
		Set<String> missing = new HashSet<>(ids);
		expect((frame) -> frame.is("RECEIPT") && missing.remove(frame.header("receipt-id")) && missing.isEmpty());
	}

	/** The first frame that fits, of those that came or will come. */
	public Frame expect(Predicate<Frame> wanted) {
		return this.log.expect(wanted, Duration.ofSeconds(60));
	}

	/** The first event of a subscription that fits. */
	public JsonNode expectEvent(String subscription, Predicate<JsonNode> wanted) {
		return expect((frame) -> frame.isMessageOf(subscription) && wanted.test(frame.json())).json();
	}

	/** The first event of a subscription with that client id. */
	public JsonNode expectMessage(String subscription, String clientId) {
		return expectEvent(subscription, (event) -> event.path("type").asString().equals("message.posted")
				&& event.path("clientId").asString("").equals(clientId));
	}

	/** Everything that came, in order. */
	public List<Frame> frames() {
		return this.log.frames();
	}

	/** What came on a subscription, in order. */
	public List<JsonNode> events(String subscription) {
		return frames().stream().filter((frame) -> frame.isMessageOf(subscription)).map(Frame::json).toList();
	}

	/** Waits for the end of the socket and gives the close code. */
	public int expectClosed() {
		return this.log.closed().orTimeout(60, TimeUnit.SECONDS).join();
	}

	public boolean isClosed() {
		return this.log.closed().isDone();
	}

	/** Why the server closed it, as it said. */
	public String closeReason() {
		return this.log.reason();
	}

	/** Takes nothing more from the socket, as a client does that hangs. */
	public void stopReading() {
		this.log.stopReading();
	}

	/** Reads again after {@link #stopReading}. */
	public void readOn() {
		this.log.readOn(this.socket);
	}

	/** Cuts the connection without a word. */
	public void abort() {
		this.socket.abort();
	}

	@Override
	public void close() {
		if (!isClosed() && !this.socket.isOutputClosed()) {
			this.socket.sendClose(WebSocket.NORMAL_CLOSURE, "").exceptionally((ex) -> null);
		}
	}

	public static byte[] bytes(String frame) {
		return frame.getBytes(StandardCharsets.UTF_8);
	}

}
