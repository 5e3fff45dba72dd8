package io.parley.server.session;

import io.parley.server.websocket.OutboxSession;

import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.SubscribableChannel;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.messaging.SubProtocolWebSocketHandler;

/** Spring's STOMP handler with an outbox in front of each socket. */
public class ChatSocketHandler extends SubProtocolWebSocketHandler {

	private final SessionRegistry sessions;

	public ChatSocketHandler(MessageChannel inbound, SubscribableChannel outbound, SessionRegistry sessions) {
		super(inbound, outbound);
		this.sessions = sessions;
	}

	@Override
	protected WebSocketSession decorateSession(WebSocketSession session) {
		ChatSession chat = this.sessions.find(session.getId());
		return (chat != null) ? new OutboxSession(session, new ChatSocketOwner(chat)) : super.decorateSession(session);
	}

}
