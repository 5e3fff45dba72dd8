package io.parley.server.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.WebSocketCoreSession;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;

/**
 * A WebSocket of Jetty. Frames carry their headers already, so they are written to the
 * connection as they are, past the queues in which Jetty gathers the frames of many
 * writers: there is one only (see {@link OutboxFrameHandler}). Jetty's own way is left to
 * the close frame, which comes when all else is written.
 */
final class JettySocket implements FrameSocket {

	private final WebSocketSession session;

	private final WebSocketCoreSession core;

	JettySocket(WebSocketSession session) {
		this.session = session;
		this.core = core(session);
	}

	private static WebSocketCoreSession core(WebSocketSession session) {
		if (session instanceof NativeWebSocketSession nativeSession
				&& nativeSession.getNativeSession() instanceof org.eclipse.jetty.websocket.common.WebSocketSession jetty
				&& jetty.getCoreSession() instanceof WebSocketCoreSession core) {
			return core;
		}
		throw new IllegalStateException("Parley runs on Jetty, but this is " + session);
	}

	/**
	 * Whose frames these are.
	 * @throws ClassCastException when Jetty itself would answer PINGs, in the middle of a
	 * write
	 */
	void serve(ChatSession chat) {
		((OutboxFrameHandler) this.core.getHandler()).serve(chat, this.core.getExecutor());
	}

	@Override
	public void write(List<byte[]> frames, Runnable done) {
		if (!this.core.isOutputOpen()) {
			done.run();
			return;
		}
		ByteBuffer bytes = ByteBuffer.wrap((frames.size() > 1) ? joined(frames) : frames.getFirst());
		Written written = new Written(done);
		try {
			this.core.getConnection().getEndPoint().write(written, bytes);
		}
		catch (RuntimeException ex) {
			written.failed(ex);
		}
	}

	private static byte[] joined(List<byte[]> frames) {
		int length = 0;
		for (byte[] frame : frames) {
			length += frame.length;
		}
		ByteBuffer joined = ByteBuffer.allocate(length);
		frames.forEach(joined::put);
		return joined.array();
	}

	@Override
	public void close(CloseStatus status) {
		try {
			this.session.close(status);
		}
		catch (IOException | RuntimeException ex) {
			cut();
		}
	}

	@Override
	public void cut() {
		this.core.abort();
	}

	/** One object for each delivery, where Jetty's own take two. */
	private final class Written implements Callback {

		private final Runnable done;

		Written(Runnable done) {
			this.done = done;
		}

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
