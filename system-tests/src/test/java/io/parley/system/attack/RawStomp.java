package io.parley.system.attack;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

import org.awaitility.Awaitility;

/**
 * A WebSocket from any address of this machine that sends any bytes, including malformed
 * ones, and reads nothing until {@link #readOn} is called.
 */
final class RawStomp implements AutoCloseable {

	private static final int PATIENCE_MILLIS = 60_000;

	private static final Duration PATIENCE = Duration.ofMillis(PATIENCE_MILLIS);

	private final Socket socket = new Socket();

	private final List<String> frames = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Integer> closed = new CompletableFuture<>();

	private final Loot loot;

	private String answer = "";

	private RawStomp(Loot loot) {
		this.loot = loot;
	}

	/** Requests an upgrade. A receive buffer of 0 selects the default size. */
	static RawStomp open(URI server, String from, Loot loot, int receiveBuffer, String... headers) {
		RawStomp stomp = new RawStomp(loot);
		try {
			if (receiveBuffer > 0) {
				stomp.socket.setReceiveBufferSize(receiveBuffer);
			}
			stomp.socket.setSoTimeout(PATIENCE_MILLIS);
			stomp.socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
			stomp.socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), PATIENCE_MILLIS);
			stomp.upgrade(server, headers);
			return stomp;
		}
		catch (IOException ex) {
			stomp.close();
			throw new UncheckedIOException(ex);
		}
	}

	private void upgrade(URI server, String... headers) throws IOException {
		StringBuilder request = new StringBuilder("GET /ws HTTP/1.1\r\nHost: " + server.getAuthority()
				+ "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
				+ "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: v12.stomp\r\n");
		for (String header : headers) {
			request.append(header).append("\r\n");
		}
		write(request.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
			int next = this.socket.getInputStream().read();
			if (next < 0) {
				throw new IOException("The upgrade was not answered");
			}
			head.write(next);
		}
		this.answer = head.toString(StandardCharsets.US_ASCII);
	}

	/**
	 * Returns the status of the response; 101 if the server has upgraded the connection.
	 */
	int status() {
		return Integer.parseInt(this.answer.split(" ", 3)[1]);
	}

	/** Returns whether all bytes were sent. The server may close the socket earlier. */
	boolean write(byte[] bytes) {
		try {
			this.socket.getOutputStream().write(bytes);
			this.socket.getOutputStream().flush();
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Sends one text message. Its mask is zero, so the payload stays readable. */
	boolean text(String message) {
		return message(0x81, message.getBytes(StandardCharsets.UTF_8));
	}

	boolean message(int firstByte, byte[] payload) {
		ByteBuffer frame = ByteBuffer.allocate(14 + payload.length);
		frame.put((byte) firstByte);
		if (payload.length < 126) {
			frame.put((byte) (0x80 | payload.length));
		}
		else if (payload.length < 65_536) {
			frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
		}
		else {
			frame.put((byte) (0x80 | 127)).putLong(payload.length);
		}
		frame.putInt(0).put(payload).flip();
		byte[] bytes = new byte[frame.remaining()];
		frame.get(bytes);
		return write(bytes);
	}

	/** Sends a frame; headers are sent unchanged, such as {@code "id:1"}. */
	boolean frame(String command, String body, String... headers) {
		return text(command + "\n" + String.join("\n", headers) + "\n\n" + body + "\0");
	}

	/** Sends CONNECT without waiting for the response. */
	RawStomp connect(String token) {
		frame("CONNECT", "", "accept-version:1.2", "host:x", "heart-beat:0,0", "Authorization:Bearer " + token);
		return this;
	}

	/** Starts to read. */
	RawStomp readOn() {
		Thread.ofVirtual().start(() -> {
			try {
				DataInputStream in = new DataInputStream(this.socket.getInputStream());
				while (!this.closed.isDone()) {
					read(in);
				}
			}
			catch (IOException ex) {
				this.closed.complete(1006);
			}
		});
		return this;
	}

	private void read(DataInputStream in) throws IOException {
		int opcode;
		try {
			opcode = in.readUnsignedByte() & 0x0f;
		}
		catch (java.net.SocketTimeoutException ex) {
			return;
		}
		long length = in.readUnsignedByte();
		length = (length == 126) ? in.readUnsignedShort() : (length == 127) ? in.readLong() : length;
		byte[] payload = in.readNBytes((int) length);
		if (opcode == 8) {
			this.closed.complete((payload.length >= 2) ? ByteBuffer.wrap(payload).getShort() & 0xffff : 1005);
			return;
		}
		String text = new String(payload, StandardCharsets.UTF_8);
		this.loot.look(text);
		if (text.length() > 1) {
			this.frames.add(text);
		}
	}

	/** Returns the frames received so far, without heart-beats. */
	List<String> frames() {
		return this.frames;
	}

	/** Waits for a frame; fails if the socket closes before. */
	String await(String what, Predicate<String> wanted) {
		Awaitility.await(what)
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(10))
			.until(() -> this.frames.stream().anyMatch(wanted) || this.closed.isDone());
		return this.frames.stream()
			.filter(wanted)
			.findFirst()
			.orElseThrow(() -> new AssertionError(
					"Closed with " + this.closed.join() + " before " + what + " arrived, after " + this.frames));
	}

	String awaitContaining(String text) {
		return await("a frame with '" + text + "'", (frame) -> frame.contains(text));
	}

	/** Waits until the server has closed the socket and returns the close code. */
	int awaitClosed() {
		try {
			return this.closed.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException | ExecutionException | TimeoutException ex) {
			throw new AssertionError("The server did not close the socket", ex);
		}
	}

	boolean isClosed() {
		return this.closed.isDone();
	}

	@Override
	public void close() {
		this.closed.complete(1006);
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
