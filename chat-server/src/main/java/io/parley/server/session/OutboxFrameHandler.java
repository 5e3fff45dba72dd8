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
 * Wraps Jetty's WebSocket handler, which would itself write when a PING or a close frame
 * arrives. Here the {@link Outbox} answers PINGs, and Jetty answers a close frame only
 * when no write is in progress. Until then only {@link JettySocket} writes.
 *
 * <p>
 * Inbound frames are recorded here, before any queue, so that a busy server does not take
 * a client for silent. A heart-beat is not passed on: no later stage needs it, and quiet
 * sessions send nothing else.
 */
public final class OutboxFrameHandler implements FrameHandler {

	private final FrameHandler jetty;

	private volatile @Nullable CoreSession core;

	private volatile @Nullable ChatSession chat;

	private volatile Executor executor = Runnable::run;

	public OutboxFrameHandler(FrameHandler jetty) {
		this.jetty = jetty;
	}

	/** Sets the session whose outbox answers. */
	void attach(ChatSession chat, Executor executor) {
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
		chat.traffic().frameReceived();
		if (!chat.traffic().mayRead(frame.getPayloadLength()) && frame.getOpCode() != OpCode.CLOSE) {
			chat.close(ClientTraffic.TOO_MUCH_BEFORE_CONNECT);
			completeAndDemand(core, callback);
			return;
		}
		switch (frame.getOpCode()) {
			case OpCode.PING -> {
				chat.send(WebSocketFrames.pong(payload(frame)));
				completeAndDemand(core, callback);
			}
			case OpCode.CLOSE -> chat.finish(() -> this.executor.execute(() -> handle(frame, callback)));
			case OpCode.TEXT -> {
				if (frame.isFin() && chat.traffic().betweenFrames() && HeartBeat.is(payload(frame))) {
					completeAndDemand(core, callback);
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

	private static void completeAndDemand(CoreSession core, Callback callback) {
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
