package io.parley.nginx;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.testcontainers.containers.GenericContainer;

/** A raw request, for what the client of the JDK cannot send. */
record RawRequest(String text) {

	/** The security headers of nginx's own responses. */
	static final String[] SECURITY_HEADERS = { "X-Content-Type-Options: nosniff", "frame-ancestors 'none'",
			"Referrer-Policy: no-referrer", "Cross-Origin-Opener-Policy: same-origin", "X-Frame-Options: DENY",
			"Permissions-Policy: camera=(), geolocation=(), microphone=()" };

	/** Shorter than nginx's default timeouts of 60 s, longer than the configured ones. */
	private static final Duration PATIENCE = Duration.ofSeconds(45);

	/** Returns a request for a WebSocket with additional header fields. */
	static RawRequest upgrade(String... fields) {
		String own = (fields.length == 0) ? "" : String.join("\r\n", fields) + "\r\n";
		return new RawRequest("GET /ws HTTP/1.1\r\nHost: chat\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n"
				+ "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" + own + "\r\n");
	}

	/** Returns a request without a body; each header field ends with a line break. */
	static RawRequest post(String path, String fields) {
		return new RawRequest("POST " + path + " HTTP/1.1\r\nHost: chat\r\n" + fields + "\r\n");
	}

	/**
	 * Sends the request and returns all data received until the server closes the
	 * connection.
	 */
	String send(GenericContainer<?> nginx) throws IOException {
		try (Socket socket = new Socket(nginx.getHost(), nginx.getFirstMappedPort())) {
			socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
			socket.getOutputStream().write(this.text.getBytes(StandardCharsets.ISO_8859_1));
			InputStream answer = socket.getInputStream();
			return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
