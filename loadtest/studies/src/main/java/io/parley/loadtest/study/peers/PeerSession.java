package io.parley.loadtest.study.peers;

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.parley.loadtest.study.peers.wire.Link;
import io.parley.loadtest.study.peers.wire.Probe;
import io.parley.loadtest.study.peers.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * One session: a WebSocket connection that is subscribed to one room, and checks each
 * delivery. Except for {@link #publish}, it runs on the event loop of its connection.
 */
final class PeerSession extends ChannelInboundHandlerAdapter implements Link {

	private static final int KEEP_ALIVE_SECONDS = 8;

	private static final int LONGEST_REASON = 100;

	private final int room;

	private final int rooms;

	private final Wire wire;

	private final BitSet received = new BitSet();

	/** The last message of each sender of the room. */
	private final int[] last;

	private volatile @Nullable ChannelHandlerContext context;

	private volatile Tally tally;

	private volatile boolean ready;

	private volatile boolean over;

	/**
	 * Creates a session.
	 * @param index among all sessions; session n is in room n modulo the number of rooms
	 */
	PeerSession(int index, int sessions, int rooms, PeerServer.Wires wires, Tally tally) {
		this.room = index % rooms;
		this.rooms = rooms;
		this.last = new int[Math.ceilDiv(sessions, rooms)];
		Arrays.fill(this.last, -1);
		this.tally = tally;
		this.wire = wires.create(index, this);
	}

	int room() {
		return this.room;
	}

	boolean isReady() {
		return this.ready;
	}

	boolean isOver() {
		return this.over;
	}

	/**
	 * Returns whether the server confirms each message.
	 */
	boolean isConfirmed() {
		return this.wire.confirms();
	}

	/**
	 * Counts from now on with another tally.
	 */
	void count(Tally next) {
		this.tally = next;
	}

	/**
	 * Sends a message to the room. May be called from any thread.
	 */
	void publish(byte[] text) {
		send(this.wire.publish(text));
	}

	@Override
	public void send(byte[] bytes) {
		ChannelHandlerContext current = this.context;
		if (current != null && !this.over) {
			ByteBuf content = Unpooled.wrappedBuffer(bytes);
			current.writeAndFlush(
					this.wire.isText() ? new TextWebSocketFrame(content) : new BinaryWebSocketFrame(content));
		}
	}

	@Override
	public void subscribed() {
		this.ready = true;
		ChannelHandlerContext current = this.context;
		byte[] keepAlive = this.wire.keepAlive();
		if (current != null && keepAlive != null) {
			current.executor()
				.scheduleAtFixedRate(() -> send(keepAlive), KEEP_ALIVE_SECONDS, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
		}
	}

	@Override
	public void delivered(Probe probe) {
		int sender = probe.sender() / this.rooms;
		if (probe.room() != this.room || sender >= this.last.length) {
			this.tally.failed("a message of another room");
		}
		else if (this.received.get(probe.number())) {
			this.tally.doubled();
		}
		else {
			this.received.set(probe.number());
			this.tally.arrived(probe.intended());
			if (probe.number() < this.last[sender]) {
				this.tally.disordered();
			}
			this.last[sender] = Math.max(this.last[sender], probe.number());
		}
	}

	@Override
	public void confirmed() {
		this.tally.confirmed();
	}

	@Override
	public void failed(String reason) {
		if (!this.over) {
			this.tally.failed(reason.substring(0, Math.min(LONGEST_REASON, reason.length())));
			leave();
		}
	}

	/**
	 * Closes the connection. Its end is then no failure. May be called from any thread.
	 */
	void leave() {
		this.over = true;
		ChannelHandlerContext current = this.context;
		if (current != null) {
			current.close();
		}
	}

	@Override
	public void handlerAdded(ChannelHandlerContext added) {
		this.context = added;
		this.wire.opened();
		added.channel().config().setAutoRead(true);
	}

	@Override
	public void channelRead(ChannelHandlerContext from, Object message) {
		switch (message) {
			case TextWebSocketFrame text -> read(text);
			case BinaryWebSocketFrame binary -> read(binary);
			case ContinuationWebSocketFrame more -> read(more);
			case CloseWebSocketFrame close -> {
				failed("closed by the server with code %d %s".formatted(close.statusCode(), close.reasonText()));
				from.fireChannelRead(close);
			}
			default -> from.fireChannelRead(message);
		}
	}

	private void read(WebSocketFrame frame) {
		try {
			this.wire.received(ByteBufUtil.getBytes(frame.content()), frame.isFinalFragment());
		}
		finally {
			ReferenceCountUtil.release(frame);
		}
	}

	@Override
	public void channelInactive(ChannelHandlerContext inactive) {
		failed("closed by the server");
		inactive.fireChannelInactive();
	}

	@Override
	public void handlerRemoved(ChannelHandlerContext removed) {
		failed("closed by the server");
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
		failed(cause.getClass().getSimpleName() + ": " + cause.getMessage());
	}

}
