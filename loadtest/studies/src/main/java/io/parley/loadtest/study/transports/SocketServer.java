package io.parley.loadtest.study.transports;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
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

	static final int BUFFER = 1 << 16;

	private static final int LARGEST_FRAME = 1024 * 1024;

	private static final int BACKLOG = 1024;

	private final Map<String, List<Subscriber>> groups = new ConcurrentHashMap<>();

	private final ServerSocket server = new ServerSocket();

	SocketServer(int port) throws IOException {
		this.server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
		Thread.ofVirtual().start(this::accept);
	}

	private static final class SocketSubscriber extends Subscriber {

		private final DataOutputStream out;

		SocketSubscriber(Socket socket) throws IOException {
			this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER));
		}

		@Override
		void deliver(byte[] first) throws IOException {
			for (byte[] frame = first; frame != null; frame = this.queue.poll()) {
				this.out.writeInt(frame.length);
				this.out.write(frame);
			}
			this.out.flush();
		}

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
		try (socket) {
			socket.setTcpNoDelay(true);
			DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
			String name = in.readUTF();
			boolean toAll = in.readBoolean();
			List<Subscriber> group = this.groups.computeIfAbsent(name, (key) -> new CopyOnWriteArrayList<>());
			Subscriber client = new SocketSubscriber(socket);
			group.add(client);
			client.start();
			try {
				client.offer(new byte[0]);
				read(in, toAll ? group : List.of(client));
			}
			finally {
				client.close();
				group.remove(client);
				if (group.isEmpty()) {
					this.groups.remove(name);
				}
			}
		}
		catch (IOException | InterruptedException ex) {
			// The client has disconnected.
		}
	}

	private static void read(DataInputStream in, List<Subscriber> receivers) throws IOException, InterruptedException {
		while (true) {
			int length = in.readInt();
			if (length < 0 || length > LARGEST_FRAME) {
				throw new IOException("A frame of " + length + " bytes");
			}
			byte[] frame = new byte[length];
			in.readFully(frame);
			for (Subscriber receiver : receivers) {
				receiver.offer(frame);
			}
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
