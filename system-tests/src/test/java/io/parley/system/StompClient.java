package io.parley.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompDecoder;
import org.springframework.messaging.simp.stomp.StompEncoder;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * A STOMP session on the WebSocket client of the JDK. The listener gets one frame at a
 * time.
 */
public final class StompClient implements WebSocket.Listener, AutoCloseable {

	/** The code of a socket that closed without a close frame. */
	static final int CUT = 1006;

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static final StompEncoder ENCODER = new StompEncoder();

	private final StompDecoder decoder = new StompDecoder();

	private final StringBuilder partial = new StringBuilder();

	private final CompletableFuture<Void> connected = new CompletableFuture<>();

	private final CompletableFuture<Integer> closed = new CompletableFuture<>();

	private final Consumer<StompFrame> listener;

	private volatile WebSocket socket;

	private StompClient(Consumer<StompFrame> listener) {
		this.listener = listener;
	}

	/**
	 * Connects and waits for CONNECTED.
	 * @throws IOException if no server is reachable or the server refuses
	 */
	public static StompClient connect(URI server, String token, Consumer<StompFrame> listener) throws IOException {
		StompClient client = new StompClient(listener);
		URI url = URI.create("ws" + server.toString().substring("http".length()) + "/ws");
		try {
			client.socket = HTTP.newWebSocketBuilder().subprotocols("v12.stomp").buildAsync(url, client).join();
			client.send(StompCommand.CONNECT, "", "accept-version", "1.2", "host", url.getHost(), "heart-beat", "0,0",
					"Authorization", "Bearer " + token);
			client.connected.orTimeout(60, TimeUnit.SECONDS).join();
			return client;
		}
		catch (CompletionException ex) {
			throw new IOException("No STOMP session with " + url, ex);
		}
	}

	public void subscribe(String id, String destination, String... headers) throws IOException {
		String[] all = new String[headers.length + 4];
		System.arraycopy(new String[] { "id", id, "destination", destination }, 0, all, 0, 4);
		System.arraycopy(headers, 0, all, 4, headers.length);
		send(StompCommand.SUBSCRIBE, "", all);
	}

	/** Sends a frame; headers are alternating names and values. */
	public synchronized void send(StompCommand command, String body, String... headers) throws IOException {
		StompHeaderAccessor accessor = StompHeaderAccessor.create(command);
		for (int i = 0; i < headers.length; i += 2) {
			accessor.setNativeHeader(headers[i], headers[i + 1]);
		}
		byte[] frame = ENCODER.encode(accessor.getMessageHeaders(), body.getBytes(StandardCharsets.UTF_8));
		try {
			this.socket.sendText(new String(frame, StandardCharsets.UTF_8), true).join();
		}
		catch (CompletionException ex) {
			throw new IOException(ex);
		}
	}

	/** Sends a message to a room, and asks for its RECEIPT. */
	void say(String room, String text) throws IOException {
		String id = UUID.randomUUID().toString();
		send(StompCommand.SEND, ChatApi.JSON.writeValueAsString(Map.of("clientId", id, "text", text)), "destination",
				"/app/rooms." + room + ".send", "content-type", "application/json", "receipt", id);
	}

	public boolean isOpen() {
		return !this.closed.isDone();
	}

	/** Completes with the close code when the socket is closed. */
	CompletableFuture<Integer> closed() {
		return this.closed;
	}

	@Override
	public void close() {
		this.socket.abort();
		end(CUT);
	}

	@Override
	public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
		this.partial.append(data);
		if (last) {
			ByteBuffer frame = ByteBuffer.wrap(this.partial.toString().getBytes(StandardCharsets.UTF_8));
			this.partial.setLength(0);
			this.decoder.decode(frame).forEach(this::receive);
		}
		return WebSocket.Listener.super.onText(socket, data, last);
	}

	private void receive(Message<byte[]> message) {
		StompHeaderAccessor headers = StompHeaderAccessor.wrap(message);
		StompFrame frame = new StompFrame(headers, message.getPayload());
		if (frame.command() == StompCommand.CONNECTED) {
			this.connected.complete(null);
		}
		else if (frame.command() != null) {
			this.listener.accept(frame);
		}
	}

	@Override
	public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
		end(code);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void onError(WebSocket socket, Throwable error) {
		end(CUT);
	}

	private void end(int code) {
		this.connected.completeExceptionally(new IOException("closed with " + code));
		this.closed.complete(code);
	}

}
