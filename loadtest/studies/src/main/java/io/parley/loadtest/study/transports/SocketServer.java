package io.parley.loadtest.study.transports;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The plain socket server: length-prefixed frames, sent to all members of a group or back
 * to the sender. A connection starts with the name of its group and a flag for sending to
 * all; the server answers with an empty frame when the client has joined.
 */
final class SocketServer implements AutoCloseable {

	static final int LARGEST_FRAME = 1024 * 1024;

	private static final int BACKLOG = 1024;

	private final Map<String, List<SocketPeer>> groups = new ConcurrentHashMap<>();

	private final ServerSocket server = new ServerSocket();

	SocketServer(int port) throws IOException {
		this.server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
		Thread.ofVirtual().start(this::accept);
	}

	private void accept() {
		while (!this.server.isClosed()) {
			try {
				Socket socket = this.server.accept();
				Thread.ofVirtual().start(() -> serve(socket));
			}
			catch (IOException ex) {
				// The server was closed, or the client disconnected before it was
				// accepted.
			}
		}
	}

	private void serve(Socket socket) {
		SocketPeer peer = new SocketPeer(socket);
		try (socket) {
			socket.setTcpNoDelay(true);
			DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
			String name = in.readUTF();
			boolean toAll = in.readBoolean();
			List<SocketPeer> group = this.groups.computeIfAbsent(name, (key) -> new CopyOnWriteArrayList<>());
			group.add(peer);
			Thread.ofVirtual().start(peer::write);
			try {
				peer.offer(new byte[0]);
				read(in, toAll ? group : List.of(peer));
			}
			finally {
				group.remove(peer);
				if (group.isEmpty()) {
					this.groups.remove(name);
				}
			}
		}
		catch (IOException | InterruptedException ex) {
			// The client has disconnected.
		}
		finally {
			peer.close();
		}
	}

	private static void read(DataInputStream in, List<SocketPeer> receivers) throws IOException, InterruptedException {
		while (true) {
			int length = in.readInt();
			if (length < 0 || length > LARGEST_FRAME) {
				throw new IOException("A frame of " + length + " bytes");
			}
			byte[] frame = in.readNBytes(length);
			if (frame.length < length) {
				return;
			}
			for (SocketPeer receiver : receivers) {
				receiver.offer(frame);
			}
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
