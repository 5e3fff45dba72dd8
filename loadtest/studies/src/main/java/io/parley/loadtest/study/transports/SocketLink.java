package io.parley.loadtest.study.transports;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * A client of the {@link SocketServer}.
 */
final class SocketLink implements Transport.Link {

	private final RoundClient client;

	private final Socket socket;

	private final DataInputStream in;

	private volatile boolean closed;

	SocketLink(int port, RoundClient client) throws IOException {
		this.client = client;
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setTcpNoDelay(true);
		this.in = new DataInputStream(new BufferedInputStream(this.socket.getInputStream(), SocketServer.BUFFER));
		DataOutputStream out = new DataOutputStream(this.socket.getOutputStream());
		out.writeUTF(client.group());
		out.writeBoolean(client.cell().toAll());
		if (this.in.readInt() != 0) {
			throw new IOException("The server did not confirm that the client has joined");
		}
		Thread.ofVirtual().start(this::read);
	}

	private void read() {
		try {
			while (true) {
				byte[] message = new byte[this.in.readInt()];
				this.in.readFully(message);
				this.client.arrived(message);
			}
		}
		catch (IOException ex) {
			if (!this.closed) {
				this.client.check().failed("connection lost: " + ex.getMessage());
			}
		}
	}

	@Override
	public void send(int sequence) throws IOException {
		byte[] message = this.client.message(sequence);
		this.socket.getOutputStream()
			.write(ByteBuffer.allocate(Integer.BYTES + message.length).putInt(message.length).put(message).array());
	}

	@Override
	public void leave() throws IOException {
		this.closed = true;
		this.socket.close();
	}

}
