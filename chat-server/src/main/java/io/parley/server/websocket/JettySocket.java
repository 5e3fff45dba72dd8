package io.parley.server.websocket;

import java.io.IOException;
import java.nio.ByteBuffer;

import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.websocket.core.WebSocketCoreSession;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;

/**
 * A WebSocket of Jetty. Frames already contain their headers, so they are written
 * directly to the connection. This bypasses the queues in which Jetty gathers the frames
 * of many writers: here is only one (see {@link OutboxFrameHandler}). Only the close
 * frame is sent through Jetty, after everything else is written.
 */
public final class JettySocket implements FrameSocket {

	private final WebSocketSession session;

	private final WebSocketCoreSession core;

	private final Written written = new Written();

	/**
	 * Creates the socket of a session.
	 * @throws IllegalStateException if it is not a session of Jetty
	 */
	public JettySocket(WebSocketSession session) {
		this.session = session;
		this.core = core(session);
	}

	private static WebSocketCoreSession core(WebSocketSession session) {
		if (session instanceof NativeWebSocketSession nativeSession
				&& nativeSession.getNativeSession() instanceof org.eclipse.jetty.websocket.common.WebSocketSession jetty
				&& jetty.getCoreSession() instanceof WebSocketCoreSession core) {
			return core;
		}
		throw new IllegalStateException("Parley requires Jetty, but the session is " + session);
	}

	/**
	 * Sets the owner of this socket. Its close is handled by a virtual thread, because
	 * that may block.
	 * @throws ClassCastException if the handler is not an {@link OutboxFrameHandler};
	 * then Jetty itself would answer PINGs in the middle of a write
	 */
	public void attach(SocketOwner owner) {
		((OutboxFrameHandler) this.core.getHandler()).attach(owner,
				VirtualThreads.getExecutor(this.core.getExecutor()));
	}

	@Override
	public void write(byte[] frames, Runnable done) {
		if (!this.core.isOutputOpen()) {
			done.run();
			return;
		}
		this.written.done = done;
		try {
			this.core.getConnection().getEndPoint().write(this.written, ByteBuffer.wrap(frames));
		}
		catch (RuntimeException ex) {
			this.written.failed(ex);
		}
	}

	@Override
	public void close(CloseStatus status) {
		try {
			this.session.close(status);
		}
		catch (IOException | RuntimeException ex) {
			abort();
		}
	}

	@Override
	public void abort() {
		this.core.abort();
	}

	/** The callback of all writes, because only one is in progress. */
	private final class Written implements Callback {

		private Runnable done = Callback.NOOP::succeeded;

		@Override
		public void succeeded() {
			this.done.run();
		}

		@Override
		public void failed(Throwable cause) {
			JettySocket.this.core.processConnectionError(cause, Callback.NOOP);
			this.done.run();
		}

	}

}
