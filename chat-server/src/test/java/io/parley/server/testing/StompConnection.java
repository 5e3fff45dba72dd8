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

/**
 * A STOMP client that sends frames, including malformed ones, and keeps all received
 * frames in order.
 */
public final class StompConnection implements AutoCloseable {

	static {
		// Without this limit the operating system lets the buffer grow to tens of
		// megabytes, and the server would notice late that a client does not read.
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

	/** Opens a socket without CONNECT. */
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

	/** Sends this text unchanged as one text message. */
	public synchronized void text(String raw) {
		await(this.socket.sendText(raw, true));
	}

	/** Sends these bytes unchanged as one binary message. */
	public synchronized void binary(byte[] raw) {
		await(this.socket.sendBinary(ByteBuffer.wrap(raw), true));
	}

	/** Sends a text message that the server may refuse before it has read all of it. */
	public synchronized void tooLarge(String raw) {
		this.socket.sendText(raw, true);
	}

	/** Sends a binary message that the server may refuse before it has read all of it. */
	public synchronized void tooLarge(byte[] raw) {
		this.socket.sendBinary(ByteBuffer.wrap(raw), true);
	}

	/** Sends one text message. Returns false if the socket no longer accepts it. */
	public synchronized boolean offer(String raw) {
		return this.socket.sendText(raw, true)
			.orTimeout(60, TimeUnit.SECONDS)
			.handle((sent, failure) -> failure == null)
			.join();
	}

	/** Sends one binary message in two WebSocket frames. */
	public synchronized void binaryInTwoFrames(byte[] raw, int split) {
		await(this.socket.sendBinary(ByteBuffer.wrap(raw, 0, split), false));
		await(this.socket.sendBinary(ByteBuffer.wrap(raw, split, raw.length - split), true));
	}

	/** Sends a WebSocket PING, not a STOMP frame. */
	public synchronized void ping(String payload) {
		await(this.socket.sendPing(ByteBuffer.wrap(bytes(payload))));
	}

	/** Returns the payloads of the responses to {@link #ping}. */
	public List<String> pongs() {
		return this.log.pongs();
	}

	private static void await(CompletableFuture<?> sending) {
		sending.orTimeout(60, TimeUnit.SECONDS).join();
	}

	public void send(String command, Map<String, String> headers, String body) {
		this.log.sent(command, headers, body);
		text(Frame.encode(command, headers, body));
	}

	/** Sends a frame with a receipt header and returns the receipt id. */
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

	/** Subscribes to the events of a room and returns the {@code subscribed} event. */
	public JsonNode follow(String id, String room) {
		subscribe(id, "/topic/rooms." + room);
		return events(id).getFirst();
	}

	/**
	 * Subscribes to the events of a room after a position and returns the {@code
	 * subscribed} event.
	 */
	public JsonNode follow(String id, String room, long after) {
		confirmed("SUBSCRIBE", Map.of("id", id, "destination", "/topic/rooms." + room, "after", String.valueOf(after)),
				"");
		return events(id).getFirst();
	}

	public void unsubscribe(String id) {
		confirmed("UNSUBSCRIBE", Map.of("id", id), "");
	}

	/**
	 * Sends a message with a receipt header and does not wait for the receipt. Returns
	 * its id.
	 */
	public String say(String room, String clientId, String text) {
		return sendWithReceipt("SEND", Map.of("destination", "/app/rooms." + room + ".send"),
				ChatApi.JSON.writeValueAsString(Map.of("clientId", clientId, "text", text)));
	}

	/** Sends an edit as {@link #say} sends a message. */
	public String edit(String room, String clientId, long target, String text) {
		return sendWithReceipt("SEND", Map.of("destination", "/app/rooms." + room + ".edit"),
				ChatApi.JSON.writeValueAsString(Map.of("clientId", clientId, "target", target, "text", text)));
	}

	/** Sends a deletion as {@link #say} sends a message. */
	public String delete(String room, String clientId, long target) {
		return sendWithReceipt("SEND", Map.of("destination", "/app/rooms." + room + ".delete"),
				ChatApi.JSON.writeValueAsString(Map.of("clientId", clientId, "target", target)));
	}

	/** Sends a reaction, or takes one back, as {@link #say} sends a message. */
	public String react(String room, long target, String key, boolean on) {
		return sendWithReceipt("SEND", Map.of("destination", "/app/rooms." + room + ".react"),
				ChatApi.JSON.writeValueAsString(Map.of("target", target, "key", key, "on", on)));
	}

	/** Pins a message, or ends its pin, as {@link #say} sends a message. */
	public String pin(String room, String clientId, long target, boolean on) {
		return sendWithReceipt("SEND", Map.of("destination", "/app/rooms." + room + ".pin"),
				ChatApi.JSON.writeValueAsString(Map.of("clientId", clientId, "target", target, "on", on)));
	}

	/**
	 * Sends a frame to the application and returns the code of its refusal; empty if it
	 * was accepted.
	 */
	public String refusal(String destination, String body) {
		String receipt = sendWithReceipt("SEND", Map.of("destination", destination), body);
		Frame answer = expect((frame) -> frame.isReceipt(receipt)
				|| frame.isMessageOf("me") && frame.json().path("receipt").asString("").equals(receipt));
		return answer.isReceipt(receipt) ? "" : answer.json().path("code").asString();
	}

	/** Sends a frame to the application and returns the resulting {@code error} event. */
	public JsonNode expectError(String destination, String body) {
		return expectError("SEND", Map.of("destination", destination), body);
	}

	/** Sends a frame and returns the resulting {@code error} event. */
	public JsonNode expectError(String command, Map<String, String> headers, String body) {
		String receipt = sendWithReceipt(command, headers, body);
		return expectEvent("me", (event) -> event.path("type").asString().equals("error")
				&& event.path("receipt").asString("").equals(receipt));
	}

	public void expectReceipt(String id) {
		expect((frame) -> frame.isReceipt(id));
	}

	/** Waits for all of these receipts, in one pass over the received frames. */
	public void expectReceipts(Collection<String> ids) {
		Set<String> missing = new HashSet<>(ids);
		expect((frame) -> frame.is("RECEIPT") && missing.remove(frame.header("receipt-id")) && missing.isEmpty());
	}

	/** Returns the first matching frame, received already or in the future. */
	public Frame expect(Predicate<Frame> wanted) {
		return this.log.expect(wanted, Duration.ofSeconds(60));
	}

	/** Returns the first matching event of a subscription. */
	public JsonNode expectEvent(String subscription, Predicate<JsonNode> wanted) {
		return expect((frame) -> frame.isMessageOf(subscription) && wanted.test(frame.json())).json();
	}

	/** Returns the first message of a subscription with this client id. */
	public JsonNode expectMessage(String subscription, String clientId) {
		return expectEvent(subscription, (event) -> event.path("type").asString().equals("message.posted")
				&& event.path("clientId").asString("").equals(clientId));
	}

	/** Returns all received frames in order. */
	public List<Frame> frames() {
		return this.log.frames();
	}

	/** Returns the events of a subscription in order. */
	public List<JsonNode> events(String subscription) {
		return frames().stream().filter((frame) -> frame.isMessageOf(subscription)).map(Frame::json).toList();
	}

	/** Waits until the socket is closed and returns the close code. */
	public int expectClosed() {
		return this.log.closed().orTimeout(60, TimeUnit.SECONDS).join();
	}

	public boolean isClosed() {
		return this.log.closed().isDone();
	}

	/** Returns the reason in the server's close frame. */
	public String closeReason() {
		return this.log.reason();
	}

	/** Stops reading from the socket, as a hanging client does. */
	public void stopReading() {
		this.log.stopReading();
	}

	/** Resumes reading after {@link #stopReading}. */
	public void readOn() {
		this.log.readOn(this.socket);
	}

	/** Drops the connection without a close frame. */
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
