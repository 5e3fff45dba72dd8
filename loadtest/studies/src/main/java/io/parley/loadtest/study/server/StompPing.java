package io.parley.loadtest.study.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Checks that a broker speaks STOMP. Its port may be open before that.
 */
final class StompPing {

	private static final int MILLIS = 2000;

	private StompPing() {
	}

	static boolean answers(int port, String login, String passcode) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress("127.0.0.1", port), MILLIS);
			socket.setSoTimeout(MILLIS);
			String connect = "CONNECT\naccept-version:1.2\nhost:/\nlogin:%s\npasscode:%s\n\n\0".formatted(login,
					passcode);
			socket.getOutputStream().write(connect.getBytes(StandardCharsets.UTF_8));
			byte[] answer = socket.getInputStream().readNBytes("CONNECTED".length());
			return new String(answer, StandardCharsets.UTF_8).equals("CONNECTED");
		}
		catch (IOException ex) {
			return false;
		}
	}

}
