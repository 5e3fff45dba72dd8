package io.parley.system.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP connection from any address of this machine that sends any bytes, including
 * malformed ones.
 */
final class RawHttp implements AutoCloseable {

	private static final int PATIENCE_MILLIS = 60_000;

	private final Socket socket = new Socket();

	private final Loot loot;

	private RawHttp(Loot loot) {
		this.loot = loot;
	}

	/** Connects. A receive buffer of 0 selects the default size. */
	static RawHttp connect(URI server, String from, Loot loot, int receiveBuffer) {
		RawHttp http = new RawHttp(loot);
		try {
			if (receiveBuffer > 0) {
				http.socket.setReceiveBufferSize(receiveBuffer);
			}
			http.socket.setSoTimeout(PATIENCE_MILLIS);
			http.socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
			http.socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), PATIENCE_MILLIS);
			return http;
		}
		catch (IOException ex) {
			http.close();
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A response.
	 *
	 * @param head status line and headers
	 * @param body the raw body, including any chunk headers
	 */
	record Answer(String head, String body) {

		int status() {
			return Integer.parseInt(this.head.split(" ", 3)[1]);
		}

		@Override
		public String toString() {
			return this.head.lines().findFirst().orElse("") + " "
					+ this.body.substring(0, Math.min(300, this.body.length()));
		}

	}

	/** Returns the text of a request that closes its connection. */
	static String request(String method, String path, @Nullable String token, @Nullable String body,
			String... headers) {
		StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n");
		if (token != null) {
			text.append("Authorization: Bearer ").append(token).append("\r\n");
		}
		for (String header : headers) {
			text.append(header).append("\r\n");
		}
		if (body != null) {
			text.append("Content-Type: application/json\r\nContent-Length: ")
				.append(body.getBytes(StandardCharsets.UTF_8).length)
				.append("\r\n");
		}
		return text.append("Connection: close\r\n\r\n").append((body != null) ? body : "").toString();
	}

	/**
	 * Returns whether all bytes were sent. The server may close the connection earlier.
	 */
	boolean send(String text) {
		return send(text.getBytes(StandardCharsets.UTF_8));
	}

	boolean send(byte[] bytes) {
		try {
			this.socket.getOutputStream().write(bytes);
			this.socket.getOutputStream().flush();
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Closes the output side of the connection. */
	void endOutput() throws IOException {
		this.socket.shutdownOutput();
	}

	/** Reads everything until the server closes the connection. */
	String readAll() throws IOException {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		try {
			this.socket.getInputStream().transferTo(all);
		}
		catch (java.net.SocketTimeoutException ex) {
			throw ex;
		}
		catch (IOException ex) {
			// A reset ends the connection too.
		}
		String text = all.toString(StandardCharsets.UTF_8);
		this.loot.look(text);
		return text;
	}

	/** Returns the only response on this connection. */
	Answer answer() throws IOException {
		String all = readAll();
		int end = all.indexOf("\r\n\r\n");
		if (end < 0) {
			throw new IOException("The connection ended without an answer: '" + all + "'");
		}
		return new Answer(all.substring(0, end), all.substring(end + 4));
	}

	/** Returns the status of the next response and leaves the rest unread. */
	int status() throws IOException {
		InputStream in = this.socket.getInputStream();
		String line = new String(in.readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
		return Integer.parseInt(line.substring(line.length() - 3));
	}

	/** Reads at most this number of bytes; returns -1 at the end. */
	int take(int bytes) {
		try {
			return this.socket.getInputStream().read(new byte[bytes]);
		}
		catch (IOException ex) {
			return -1;
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
