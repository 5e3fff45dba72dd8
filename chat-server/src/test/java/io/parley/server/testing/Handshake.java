package io.parley.server.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A WebSocket handshake made by hand, to send the headers of a browser and read those of
 * the response. The socket stays open until {@link #close}.
 */
public final class Handshake implements AutoCloseable {

	/** The same size as that of {@link StompConnection}. */
	private static final int RECEIVE_BUFFER = 128 * 1024;

	private final Socket socket;

	private final int status;

	private final Map<String, String> headers = new TreeMap<>();

	private final String body;

	private Handshake(String from, int port, String... headers) throws IOException {
		this.socket = new Socket();
		this.socket.setReceiveBufferSize(RECEIVE_BUFFER);
		this.socket.bind(new InetSocketAddress(from, 0));
		this.socket.connect(new InetSocketAddress("127.0.0.1", port));
		this.socket.setSoTimeout(20_000);
		StringBuilder request = new StringBuilder("GET /ws HTTP/1.1\r\nHost: 127.0.0.1:" + port
				+ "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
				+ "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: v12.stomp\r\n");
		for (String header : headers) {
			request.append(header).append("\r\n");
		}
		this.socket.getOutputStream().write(request.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
		BufferedReader answer = new BufferedReader(
				new InputStreamReader(this.socket.getInputStream(), StandardCharsets.US_ASCII));
		this.status = Integer.parseInt(answer.readLine().split(" ")[1]);
		for (String line = answer.readLine(); line != null && !line.isEmpty(); line = answer.readLine()) {
			int colon = line.indexOf(':');
			this.headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
		}
		char[] text = new char[Integer.parseInt(header("content-length").isEmpty() ? "0" : header("content-length"))];
		this.body = String.valueOf(text, 0, Math.max(0, answer.read(text)));
	}

	/** Requests an upgrade with these headers, such as {@code "Origin: http://x"}. */
	public static Handshake with(ChatServer server, String... headers) {
		return from("127.0.0.1", server, headers);
	}

	/** Requests an upgrade from another address of this machine. */
	public static Handshake from(String address, ChatServer server, String... headers) {
		try {
			return new Handshake(address, server.port(), headers);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the status of the response; 101 if the server has upgraded the connection.
	 */
	public int status() {
		return this.status;
	}

	public String header(String name) {
		return this.headers.getOrDefault(name, "");
	}

	/** Returns the body of a response that is no upgrade and has a length. */
	public String body() {
		return this.body;
	}

	/** Sends a short text message. Its mask is zero, so the payload stays readable. */
	public void text(String message) throws IOException {
		byte[] payload = message.getBytes(StandardCharsets.UTF_8);
		ByteBuffer frame = ByteBuffer.allocate(8 + payload.length);
		frame.put((byte) 0x81).put((byte) (0x80 | 126)).putShort((short) payload.length).putInt(0).put(payload);
		this.socket.getOutputStream().write(frame.array());
	}

	/** Waits until the server has registered the session, which follows the response. */
	public void awaitRegistered() {
		byte[] payload = "registered".getBytes(StandardCharsets.US_ASCII);
		ByteBuffer ping = ByteBuffer.allocate(6 + payload.length);
		ping.put((byte) 0x89).put((byte) (0x80 | payload.length)).putInt(0).put(payload);
		try {
			this.socket.getOutputStream().write(ping.array());
			awaitText("registered");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Reads at most this number of bytes. */
	public int take(int bytes) throws IOException {
		return this.socket.getInputStream().read(new byte[bytes]);
	}

	/** Waits until this text has arrived. */
	public void awaitText(String text) throws IOException {
		StringBuilder received = new StringBuilder();
		while (received.indexOf(text) < 0) {
			int next = this.socket.getInputStream().read();
			if (next < 0) {
				throw new AssertionError("The socket closed before '" + text + "' arrived, after " + received);
			}
			received.append((char) next);
		}
	}

	/** Waits until the server closes the socket. */
	public void awaitClosed() throws IOException {
		while (this.socket.getInputStream().read() >= 0) {
			// a close frame comes first
		}
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
