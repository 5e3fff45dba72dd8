package io.parley.log.rabbitmq;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A proxy to the broker that can hold back the broker's responses and cut connections.
 */
final class Wire implements AutoCloseable {

	private static final InetAddress HERE = InetAddress.getLoopbackAddress();

	private final int brokerPort;

	private final ServerSocket server;

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private boolean held;

	Wire(int brokerPort) throws IOException {
		this.brokerPort = brokerPort;
		this.server = new ServerSocket(0, 50, HERE);
		Thread.ofVirtual().start(this::accept);
	}

	String address() {
		return HERE.getHostAddress() + ":" + this.server.getLocalPort();
	}

	private void accept() {
		while (!this.server.isClosed()) {
			try {
				Socket client = this.server.accept();
				Socket broker = new Socket(HERE, this.brokerPort);
				this.open.add(client);
				this.open.add(broker);
				Thread.ofVirtual().start(() -> pump(client, broker, false));
				Thread.ofVirtual().start(() -> pump(broker, client, true));
			}
			catch (IOException ex) {
				cut();
			}
		}
	}

	private void pump(Socket from, Socket to, boolean fromBroker) {
		byte[] buffer = new byte[8192];
		try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
				if (fromBroker) {
					awaitRelease();
				}
				out.write(buffer, 0, read);
			}
		}
		catch (IOException | InterruptedException ex) {
			this.open.remove(from);
		}
	}

	private synchronized void awaitRelease() throws InterruptedException {
		while (this.held) {
			wait();
		}
	}

	synchronized void holdResponses() {
		this.held = true;
	}

	/** Closes all connections and drops the responses held back. New connections work. */
	void cut() {
		this.open.forEach((socket) -> {
			try {
				socket.close();
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.open.clear();
		synchronized (this) {
			this.held = false;
			notifyAll();
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		cut();
	}

}
