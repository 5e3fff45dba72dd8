package io.parley.loadtest.stomp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.MessageHeaderAccessor;

/**
 * The connection of one session: decodes and encodes STOMP frames inside WebSocket
 * frames, on Netty's threads. It is the last handler of its channel. The abstract methods
 * are called on the channel's event loop; the others may be called from any thread.
 */
public abstract class StompChannel extends ChannelInboundHandlerAdapter {

	private static final int CLOSED_WITHOUT_A_FRAME = 1006;

	private static final int NORMAL = 1000;

	private final FrameReader reader = new FrameReader();

	private final HeartBeat heartBeat = new HeartBeat();

	private volatile @Nullable ChannelHandlerContext context;

	private int closeCode = CLOSED_WITHOUT_A_FRAME;

	/**
	 * Called when the WebSocket connection is open.
	 * @return false when the connection is no longer wanted
	 */
	protected abstract boolean opened();

	/**
	 * Fails the session and closes the connection. Has no effect after the session has
	 * ended.
	 */
	protected abstract void fail(String error);

	/**
	 * Called when the server answered 503 because it accepts no more sessions now.
	 * @param retryAfterSeconds the value of Retry-After; 0 when it is absent
	 */
	protected void turnedAway(int retryAfterSeconds) {
		fail("not connected: turned away with 503, Retry-After %d s".formatted(retryAfterSeconds));
	}

	/**
	 * Handles a whole frame without decoding it, if possible.
	 * @return false for a frame that must be decoded
	 */
	protected boolean delivered(ByteBuf frame) {
		return false;
	}

	/**
	 * Called for a frame with a command.
	 */
	protected abstract void received(StompHeaderAccessor headers, byte[] body);

	/**
	 * Called when the connection is closed by either side. May be called twice.
	 */
	protected abstract void closed(int code);

	protected final HeartBeat heartBeat() {
		return this.heartBeat;
	}

	/**
	 * Sends a frame. It is dropped when the connection is not open.
	 */
	protected final void write(byte[] frame) {
		ChannelHandlerContext current = this.context;
		if (current != null) {
			this.heartBeat.sent();
			current.writeAndFlush(new TextWebSocketFrame(Unpooled.wrappedBuffer(frame)));
		}
	}

	/**
	 * Sends a frame.
	 * @param taken run when the operating system has accepted the frame
	 */
	protected final void write(byte[] frame, Runnable taken) {
		ChannelHandlerContext current = this.context;
		if (current != null) {
			this.heartBeat.sent();
			current.writeAndFlush(new TextWebSocketFrame(Unpooled.wrappedBuffer(frame)))
				.addListener((done) -> taken.run());
		}
	}

	/**
	 * Sends a WebSocket close frame, so that the server closes the connection.
	 */
	protected final void sendClose() {
		ChannelHandlerContext current = this.context;
		if (current != null) {
			current.writeAndFlush(new CloseWebSocketFrame(NORMAL, ""));
		}
	}

	/**
	 * Ends the connection like a network failure, without DISCONNECT and close frame.
	 */
	public final void cut() {
		ChannelHandlerContext current = this.context;
		if (current != null) {
			// Makes the system send a reset instead of an orderly end.
			current.channel().config().setOption(ChannelOption.SO_LINGER, 0);
			current.close();
		}
	}

	public final void close() {
		ChannelHandlerContext current = this.context;
		if (current != null) {
			current.close();
		}
	}

	@Override
	public final void handlerAdded(ChannelHandlerContext added) {
		this.context = added;
		if (opened()) {
			added.channel().config().setAutoRead(true);
		}
		else {
			added.close();
		}
	}

	@Override
	public final void channelRead(ChannelHandlerContext from, Object received) {
		switch (received) {
			case TextWebSocketFrame text -> read(text);
			case BinaryWebSocketFrame binary -> read(binary);
			case ContinuationWebSocketFrame more -> read(more);
			case CloseWebSocketFrame close -> {
				this.closeCode = close.statusCode();
				from.fireChannelRead(close);
			}
			default -> from.fireChannelRead(received);
		}
	}

	@Override
	public final void channelInactive(ChannelHandlerContext inactive) {
		closed(this.closeCode);
		inactive.fireChannelInactive();
	}

	@Override
	public final void handlerRemoved(ChannelHandlerContext removed) {
		closed(this.closeCode);
	}

	@Override
	public final void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
		fail(cause.getClass().getSimpleName() + ": " + cause.getMessage());
	}

	private void read(WebSocketFrame frame) {
		try {
			this.heartBeat.received();
			if (this.reader.isBetweenFrames() && frame.isFinalFragment() && delivered(frame.content())) {
				return;
			}
			for (Message<byte[]> message : this.reader.read(frame.content().nioBuffer())) {
				StompHeaderAccessor headers = MessageHeaderAccessor.getAccessor(message, StompHeaderAccessor.class);
				if (headers != null && headers.getCommand() != null) {
					received(headers, message.getPayload());
				}
			}
		}
		finally {
			ReferenceCountUtil.release(frame);
		}
	}

}
