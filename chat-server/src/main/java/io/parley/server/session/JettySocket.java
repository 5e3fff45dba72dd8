package io.parley.server.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.OutgoingEntry;
import org.eclipse.jetty.websocket.core.WebSocketCoreSession;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;

/**
 * A WebSocket of Jetty. Its connection takes bytes as they are, so that one array can be
 * sent to many, and merges frames into one write. The session before it is left out: it
 * is there for extensions, of which there are none (see {@code JettyUpgrade}).
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

	@Override
	public void write(List<byte[]> frames, Runnable done) {
		Frame frame = (frames.size() > 1) ? MergedFrame.of(frames)
				: new Frame(OpCode.TEXT, ByteBuffer.wrap(frames.getFirst()));
		this.core.getConnection().enqueueFrame(new OutgoingEntry.Builder(frame, Callback.from(done)).build());
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

}
