package io.parley.server.session;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.jspecify.annotations.Nullable;

/**
 * Jetty's handler of a WebSocket, which would write by itself when a PING or a close
 * frame comes. Here the {@link Outbox} answers the one, and lets Jetty answer the other
 * when nothing is being written: nobody but {@link JettySocket} writes until then.
 *
 * <p>
 * What comes is noted here, before any queue, so that a busy server takes nobody for
 * silent. A heart-beat goes no further: nothing behind this needs it, and of quiet
 * sessions nothing else comes.
 */
public final class OutboxFrameHandler implements FrameHandler {

	private final FrameHandler jetty;

	private volatile @Nullable CoreSession core;

	private volatile @Nullable ChatSession chat;

	private volatile Executor executor = Runnable::run;

	public OutboxFrameHandler(FrameHandler jetty) {
		this.jetty = jetty;
	}

	/** Whose outbox it is. */
	void serve(ChatSession chat, Executor executor) {
		this.executor = executor;
		this.chat = chat;
	}

	@Override
	public void onOpen(CoreSession core, Callback callback) {
		this.core = core;
		this.jetty.onOpen(core, callback);
	}

	@Override
	public void onFrame(Frame frame, Callback callback) {
		CoreSession core = this.core;
		ChatSession chat = this.chat;
		if (core == null || chat == null) {
			this.jetty.onFrame(frame, callback);
			return;
		}
		chat.traffic().heard();
		if (!chat.traffic().mayRead(frame.getPayloadLength()) && frame.getOpCode() != OpCode.CLOSE) {
			chat.close(ClientTraffic.TOO_MUCH_BEFORE_CONNECT);
			handled(core, callback);
			return;
		}
		switch (frame.getOpCode()) {
			case OpCode.PING -> {
				chat.send(WebSocketFrames.pong(payload(frame)));
				handled(core, callback);
			}
			case OpCode.CLOSE -> chat.finish(() -> this.executor.execute(() -> handle(frame, callback)));
			case OpCode.TEXT -> {
				if (frame.isFin() && chat.traffic().betweenFrames() && HeartBeat.is(payload(frame))) {
					handled(core, callback);
				}
				else {
					this.jetty.onFrame(frame, callback);
				}
			}
			default -> this.jetty.onFrame(frame, callback);
		}
	}

	private static ByteBuffer payload(Frame frame) {
		return frame.hasPayload() ? frame.getPayload() : BufferUtil.EMPTY_BUFFER;
	}

	private static void handled(CoreSession core, Callback callback) {
		callback.succeeded();
		core.demand();
	}

	private void handle(Frame frame, Callback callback) {
		try {
			this.jetty.onFrame(frame, callback);
		}
		catch (RuntimeException ex) {
			callback.failed(ex);
		}
	}

	@Override
	public void onError(Throwable cause, Callback callback) {
		this.jetty.onError(cause, callback);
	}

	@Override
	public void onClosed(CloseStatus status, Callback callback) {
		this.jetty.onClosed(status, callback);
	}

}
