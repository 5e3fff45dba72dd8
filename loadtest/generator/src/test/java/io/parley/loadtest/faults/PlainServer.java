package io.parley.loadtest.faults;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that answers each request with the beginning of a WebSocket, and leaves the
 * frames to the test.
 */
final class PlainServer implements AutoCloseable {

	private static final String REQUEST = "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n";

	static final String SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";

	static final int SECONDS = 20;

	private final ServerSocket listener;

	private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();

	PlainServer() throws IOException {
		this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
		Thread.ofVirtual().start(() -> {
			try {
				while (true) {
					this.accepted.add(this.listener.accept());
				}
			}
			catch (IOException ex) {
				// The test is over.
			}
		});
	}

	InetSocketAddress address() {
		return new InetSocketAddress(this.listener.getInetAddress(), this.listener.getLocalPort());
	}

	/**
	 * Returns the server's end of the next connection.
	 */
	Peer accept() throws Exception {
		Socket socket = this.accepted.poll(SECONDS, TimeUnit.SECONDS);
		assertThat(socket).as("a connection").isNotNull();
		return new Peer(socket);
	}

	boolean hasConnection() {
		return !this.accepted.isEmpty();
	}

	/**
	 * Opens a WebSocket through the proxy.
	 */
	Pair webSocket(Proxy proxy) throws Exception {
		Peer client = Peer.connect(proxy);
		client.write(REQUEST);
		Peer server = accept();
		assertThat(server.read(REQUEST.length())).isEqualTo(REQUEST);
		server.write(SWITCHING);
		assertThat(client.read(SWITCHING.length())).isEqualTo(SWITCHING);
		return new Pair(client, server);
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		for (Socket socket : this.accepted) {
			socket.close();
		}
	}

	/**
	 * Both ends of a connection through the proxy.
	 */
	record Pair(Peer client, Peer server) implements AutoCloseable {

		@Override
		public void close() {
			this.client.close();
			this.server.close();
		}

	}

	/**
	 * One end of a connection.
	 */
	record Peer(Socket socket) implements AutoCloseable {

		static Peer connect(Proxy proxy) throws IOException {
			Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
			socket.setSoTimeout(SECONDS * 1000);
			return new Peer(socket);
		}

		void write(String text) throws IOException {
			this.socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
		}

		/**
		 * Sends an unmasked text frame.
		 */
		void frame(String text) throws IOException {
			write(PlainServer.frame(text));
		}

		String read(int length) throws IOException {
			this.socket.setSoTimeout(SECONDS * 1000);
			byte[] bytes = new byte[length];
			new DataInputStream(this.socket.getInputStream()).readFully(bytes);
			return new String(bytes, StandardCharsets.ISO_8859_1);
		}

		/**
		 * Reads a frame and returns its payload.
		 */
		String frame() throws IOException {
			this.socket.setSoTimeout(SECONDS * 1000);
			Frame frame = Frame.read(new DataInputStream(this.socket.getInputStream()));
			assertThat(frame).as("a frame").isNotNull();
			byte[] payload = frame.payload();
			return (payload != null) ? new String(payload, StandardCharsets.ISO_8859_1) : "";
		}

		/**
		 * Reads until the connection ends in any way.
		 */
		String rest() throws IOException {
			this.socket.setSoTimeout(SECONDS * 1000);
			StringBuilder text = new StringBuilder();
			try {
				for (int next = this.socket.getInputStream().read(); next >= 0;) {
					text.append((char) next);
					next = this.socket.getInputStream().read();
				}
			}
			catch (SocketException ex) {
				// RST
			}
			return text.toString();
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

	/**
	 * Returns a text frame of a client.
	 */
	static String maskedFrame(String text) {
		String mask = "mask";
		String header = frame(text).substring(0, frame(text).length() - text.length());
		StringBuilder frame = new StringBuilder(header).append(mask);
		frame.setCharAt(1, (char) (header.charAt(1) | 0x80));
		for (int n = 0; n < text.length(); n++) {
			frame.append((char) (text.charAt(n) ^ mask.charAt(n % mask.length())));
		}
		return frame.toString();
	}

	/**
	 * Returns an unmasked text frame.
	 */
	static String frame(String text) {
		String length = (text.length() < 126) ? "" + (char) text.length()
				: (char) 126 + "" + (char) (text.length() >> 8) + (char) (text.length() & 0xff);
		return (char) 0x81 + length + text;
	}

}
