package io.parley.server.testing;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** Records what arrives on a socket. */
final class FrameLog implements WebSocket.Listener {

	/** Closed without a close frame, as defined by RFC 6455. */
	static final int ABNORMAL = 1006;

	/** In place of the id of a receipt: CONNECTED confirms CONNECT. */
	private static final String CONNECT = "";

	private final List<Frame> frames = new ArrayList<>();

	/** Frames of the client with a receipt, by its id. */
	private final Map<String, Sent> unconfirmed = new HashMap<>();

	private final List<String> pongs = new ArrayList<>();

	private final CompletableFuture<Integer> closed = new CompletableFuture<>();

	private final StringBuilder partial = new StringBuilder();

	private boolean reading = true;

	private String reason = "";

	private record Sent(String command, Map<String, String> headers, String body) {
	}

	@Override
	public synchronized CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
		this.partial.append(data);
		if (last) {
			Frame frame = Frame.decode(this.partial.toString());
			this.partial.setLength(0);
			this.frames.add(frame);
			check(frame);
			notifyAll();
		}
		if (this.reading) {
			socket.request(1);
		}
		return null;
	}

	private void check(Frame frame) {
		Contract.get().received(frame);
		Sent confirmed = switch (frame.command()) {
			case "CONNECTED" -> this.unconfirmed.remove(CONNECT);
			case "RECEIPT" -> this.unconfirmed.remove(frame.header("receipt-id"));
			default -> null;
		};
		if (confirmed != null) {
			Contract.get().confirmed(confirmed.command(), confirmed.headers(), confirmed.body());
		}
	}

	/** Notes a frame of the client, to check it when the server has confirmed it. */
	synchronized void sent(String command, Map<String, String> headers, String body) {
		String key = command.equals("CONNECT") ? CONNECT : headers.get("receipt");
		if (key != null) {
			this.unconfirmed.put(key, new Sent(command, headers, body));
		}
	}

	@Override
	public synchronized CompletionStage<?> onPong(WebSocket socket, ByteBuffer payload) {
		this.pongs.add(StandardCharsets.UTF_8.decode(payload).toString());
		socket.request(1);
		return null;
	}

	@Override
	public CompletionStage<?> onClose(WebSocket socket, int statusCode, String reason) {
		end(statusCode, reason);
		return null;
	}

	@Override
	public void onError(WebSocket socket, Throwable error) {
		end(ABNORMAL, "");
	}

	private synchronized void end(int statusCode, String reason) {
		this.reason = reason;
		this.closed.complete(statusCode);
		notifyAll();
	}

	CompletableFuture<Integer> closed() {
		return this.closed;
	}

	/** Returns the reason in the close frame; empty until it has arrived. */
	synchronized String reason() {
		return this.reason;
	}

	synchronized List<Frame> frames() {
		return List.copyOf(this.frames);
	}

	/** Returns the payloads of the PONGs. */
	synchronized List<String> pongs() {
		return List.copyOf(this.pongs);
	}

	synchronized void stopReading() {
		this.reading = false;
	}

	synchronized void readOn(WebSocket socket) {
		this.reading = true;
		socket.request(1);
	}

	synchronized Frame expect(Predicate<Frame> wanted, Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		int next = 0;
		while (true) {
			for (; next < this.frames.size(); next++) {
				if (wanted.test(this.frames.get(next))) {
					return this.frames.get(next);
				}
			}
			if (this.closed.isDone() || !await(deadline)) {
				throw new AssertionError("The frame did not arrive. Closed: " + this.closed.getNow(0) + " "
						+ this.reason + ". The last frames: "
						+ this.frames.subList(Math.max(0, this.frames.size() - 20), this.frames.size()));
			}
		}
	}

	private boolean await(long deadline) {
		long millis = (deadline - System.nanoTime()) / 1_000_000;
		try {
			if (millis > 0) {
				wait(millis);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		return millis > 0;
	}

}
