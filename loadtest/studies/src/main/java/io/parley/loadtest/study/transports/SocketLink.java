package io.parley.loadtest.study.transports;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A client of the {@link SocketServer}. */
final class SocketLink implements Link {

	private final Cell cell;

	private final int client;

	private final Tally tally;

	private final Socket socket;

	private final DataInputStream in;

	private volatile boolean closed;

	SocketLink(int port, Cell cell, String group, int client, Tally tally) throws IOException {
		this.cell = cell;
		this.client = client;
		this.tally = tally;
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setTcpNoDelay(true);
		this.in = new DataInputStream(new BufferedInputStream(this.socket.getInputStream(), 1 << 16));
		DataOutputStream out = new DataOutputStream(this.socket.getOutputStream());
		out.writeUTF(group);
		out.writeBoolean(cell.toAll());
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
				Parcel.arrived(message, this.client, this.tally);
			}
		}
		catch (IOException ex) {
			if (!this.closed) {
				this.tally.failed("connection lost: " + ex.getMessage());
			}
		}
	}

	@Override
	public void send(int sequence) throws IOException {
		byte[] message = Parcel.bytes(this.client, sequence, this.cell.bytes());
		this.socket.getOutputStream()
			.write(ByteBuffer.allocate(Integer.BYTES + message.length).putInt(message.length).put(message).array());
	}

	@Override
	public void close() throws IOException {
		this.closed = true;
		this.socket.close();
	}

}
