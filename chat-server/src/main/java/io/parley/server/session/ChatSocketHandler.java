package io.parley.server.session;

import io.parley.server.websocket.OutboxSession;

import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.SubscribableChannel;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.messaging.SubProtocolWebSocketHandler;

/**
 * Spring's STOMP handler, which decodes frames and sends them to the inbound channel.
 * Registers each session before its first frame, removes it after its last one, and puts
 * an outbox in front of each socket.
 */
public class ChatSocketHandler extends SubProtocolWebSocketHandler {

	private final SessionRegistry sessions;

	public ChatSocketHandler(MessageChannel inbound, SubscribableChannel outbound, SessionRegistry sessions) {
		super(inbound, outbound);
		this.sessions = sessions;
	}

	@Override
	public void afterConnectionEstablished(WebSocketSession socket) throws Exception {
		this.sessions.open(socket);
		super.afterConnectionEstablished(socket);
	}

	@Override
	protected WebSocketSession decorateSession(WebSocketSession socket) {
		ChatSession session = ChatSession.of(socket);
		return (session != null) ? new OutboxSession(socket, session) : super.decorateSession(socket);
	}

	@Override
	public void handleMessage(WebSocketSession socket, WebSocketMessage<?> message) throws Exception {
		ChatSession session = ChatSession.of(socket);
		if (session == null) {
			super.handleMessage(socket, message);
			return;
		}
		session.traffic().messageReceived(message.getPayload());
		try {
			super.handleMessage(socket, message);
		}
		finally {
			session.traffic().messageHandled();
		}
	}

	@Override
	public void afterConnectionClosed(WebSocketSession socket, CloseStatus status) throws Exception {
		this.sessions.beginClosing();
		try {
			this.sessions.closed(socket.getId(), status);
			super.afterConnectionClosed(socket, status);
		}
		finally {
			this.sessions.endClosing();
		}
	}

}
