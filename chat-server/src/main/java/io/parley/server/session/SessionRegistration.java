package io.parley.server.session;

import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;
import org.springframework.web.socket.handler.WebSocketHandlerDecoratorFactory;

/** Registers a session before its first frame and removes it after its last. */
@Component
class SessionRegistration implements WebSocketHandlerDecoratorFactory {

	private final SessionRegistry sessions;

	SessionRegistration(SessionRegistry sessions) {
		this.sessions = sessions;
	}

	@Override
	public WebSocketHandler decorate(WebSocketHandler handler) {
		return new WebSocketHandlerDecorator(handler) {

			@Override
			public void afterConnectionEstablished(WebSocketSession session) throws Exception {
				SessionRegistration.this.sessions.open(session);
				super.afterConnectionEstablished(session);
			}

			@Override
			public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) throws Exception {
				ChatSession chat = SessionRegistration.this.sessions.find(session.getId());
				if (chat != null) {
					chat.traffic().messageReceived(message.getPayload());
				}
				super.handleMessage(session, message);
			}

			@Override
			public void afterConnectionClosed(WebSocketSession session, CloseStatus status) throws Exception {
				SessionRegistration.this.sessions.closed(session.getId(), status);
				super.afterConnectionClosed(session, status);
			}

		};
	}

}
