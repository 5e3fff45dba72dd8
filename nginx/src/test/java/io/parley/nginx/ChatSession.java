package io.parley.nginx;

import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/** A STOMP session in one room. Records the received messages and failures. */
final class ChatSession implements WebSocket.Listener {

	private final String token;

	private final String room;

	private final CompletableFuture<ChatSession> subscribed = new CompletableFuture<>();

	private final List<String> received = new CopyOnWriteArrayList<>();

	private final List<String> failures = new CopyOnWriteArrayList<>();

	private final StringBuilder frame = new StringBuilder();

	private volatile @Nullable WebSocket socket;

	/** The pending write; the next frame waits for it. */
	private CompletableFuture<WebSocket> sent = new CompletableFuture<>();

	ChatSession(String token, String room) {
		this.token = token;
		this.room = room;
	}

	CompletableFuture<ChatSession> subscribed() {
		return this.subscribed;
	}

	/** Returns whether a message with this text has arrived. */
	boolean heard(String text) {
		return this.received.stream().anyMatch((received) -> received.contains("\"text\":\"" + text + "\""));
	}

	/**
	 * Returns ERROR frames, transport errors and closes that this side did not request.
	 */
	List<String> failures() {
		return this.failures;
	}

	void leave() {
		WebSocket open = this.socket;
		if (open != null) {
			open.abort();
		}
	}

	@Override
	public void onOpen(WebSocket opened) {
		this.socket = opened;
		this.sent.complete(opened);
		send("CONNECT\naccept-version:1.2\nhost:chat\nheart-beat:0,0\nAuthorization:Bearer " + this.token + "\n\n\0");
		opened.request(1);
	}

	@Override
	public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
		this.frame.append(part);
		if (last) {
			handle(this.frame.toString());
			this.frame.setLength(0);
		}
		from.request(1);
		return null;
	}

	private void send(String frame) {
		this.sent = this.sent.thenCompose((open) -> open.sendText(frame, true));
	}

	private void handle(String text) {
		this.received.add(text);
		if (text.startsWith("CONNECTED")) {
			send("SUBSCRIBE\nid:0\ndestination:/topic/rooms." + this.room + "\n\n\0");
		}
		else if (text.startsWith("ERROR")) {
			fail(text);
		}
		else if (text.contains("\"type\":\"subscribed\"")) {
			this.subscribed.complete(this);
		}
	}

	@Override
	public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
		fail("closed with " + status + " " + reason);
		return null;
	}

	@Override
	public void onError(WebSocket from, Throwable error) {
		fail(error.toString());
	}

	private void fail(String reason) {
		this.failures.add(reason);
		this.subscribed.completeExceptionally(new IllegalStateException(reason));
	}

}
