package io.parley.server.websocket;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.WebSocketSessionDecorator;

/**
 * Sends the ERROR frames that Spring creates through the outbox too, so that they keep
 * their place.
 */
public final class OutboxSession extends WebSocketSessionDecorator {

	private final SocketOwner owner;

	public OutboxSession(WebSocketSession delegate, SocketOwner owner) {
		super(delegate);
		this.owner = owner;
	}

	@Override
	public void sendMessage(WebSocketMessage<?> message) {
		if (!(message instanceof TextMessage text)) {
			throw new IllegalArgumentException("Only text messages can be sent, not " + message);
		}
		this.owner.send(WebSocketFrames.text(text.asBytes()));
	}

	@Override
	public void close() {
		close(CloseStatus.NORMAL);
	}

	@Override
	public void close(CloseStatus status) {
		this.owner.close(status);
	}

}
