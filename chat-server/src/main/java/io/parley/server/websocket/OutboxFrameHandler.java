package io.parley.server.websocket;

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
final class OutboxFrameHandler implements FrameHandler {

	private final FrameHandler jetty;

	private volatile @Nullable CoreSession core;

	private volatile @Nullable SocketOwner owner;

	private volatile Executor executor = Runnable::run;

	OutboxFrameHandler(FrameHandler jetty) {
		this.jetty = jetty;
	}

	/** Sets the owner, whose outbox answers. */
	void attach(SocketOwner owner, Executor executor) {
		this.executor = executor;
		this.owner = owner;
	}

	@Override
	public void onOpen(CoreSession core, Callback callback) {
		this.core = core;
		this.jetty.onOpen(core, callback);
	}

	@Override
	public void onFrame(Frame frame, Callback callback) {
		CoreSession core = this.core;
		SocketOwner owner = this.owner;
		if (core == null || owner == null) {
			this.jetty.onFrame(frame, callback);
			return;
		}
		if (!owner.frameReceived(frame.getPayloadLength()) && frame.getOpCode() != OpCode.CLOSE) {
			owner.rejectFrame();
			completeAndDemand(core, callback);
			return;
		}
		switch (frame.getOpCode()) {
			case OpCode.PING -> {
				owner.send(WebSocketFrames.pong(payload(frame)));
				completeAndDemand(core, callback);
			}
			case OpCode.CLOSE -> owner.finish(() -> this.executor.execute(() -> handle(frame, callback)));
			case OpCode.TEXT -> {
				if (frame.isFin() && owner.isHeartBeat(payload(frame))) {
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
