package io.parley.server.session;

import java.nio.ByteBuffer;

import io.parley.server.websocket.SocketOwner;

import org.springframework.web.socket.CloseStatus;

/** A session as the owner of its WebSocket. */
final class ChatSocketOwner implements SocketOwner {

	private final ChatSession session;

	ChatSocketOwner(ChatSession session) {
		this.session = session;
	}

	@Override
	public boolean frameReceived(int bytes) {
		this.session.traffic().frameReceived();
		return this.session.traffic().mayRead(bytes);
	}

	@Override
	public void rejectFrame() {
		this.session.close(ClientTraffic.TOO_MUCH_BEFORE_CONNECT);
	}

	@Override
	public boolean isHeartBeat(ByteBuffer message) {
		return this.session.traffic().betweenFrames() && HeartBeat.is(message);
	}

	@Override
	public void send(byte[] frame) {
		this.session.send(frame);
	}

	@Override
	public void finish(Runnable next) {
		this.session.finish(next);
	}

	@Override
	public void close(CloseStatus status) {
		this.session.close(status);
	}

}
