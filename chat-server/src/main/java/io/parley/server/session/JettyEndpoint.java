package io.parley.server.session;

import java.security.Principal;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import org.eclipse.jetty.websocket.api.Callback;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.adapter.jetty.JettyWebSocketHandlerAdapter;
import org.springframework.web.socket.adapter.jetty.JettyWebSocketSession;

/**
 * Spring's endpoint of a WebSocket, which lets the server's close frame out when both
 * sides close at once. Jetty ends the connection as soon as the client's has come, even
 * if its own is not written yet.
 */
public final class JettyEndpoint extends JettyWebSocketHandlerAdapter {

	private final Session session;

	public JettyEndpoint(WebSocketHandler handler, Map<String, Object> attributes, @Nullable Principal user) {
		this(handler, new Session(attributes, user));
	}

	private JettyEndpoint(WebSocketHandler handler, Session session) {
		super(handler, session);
		this.session = session;
	}

	@Override
	public void onWebSocketClose(int statusCode, String reason, Callback callback) {
		super.onWebSocketClose(statusCode, reason,
				Callback.from(() -> this.session.afterGoodbye(callback::succeed), callback::fail));
	}

	/** Closes without waiting for the network, where Spring's would. */
	private static final class Session extends JettyWebSocketSession {

		private final AtomicReference<Callback.@Nullable Completable> goodbye = new AtomicReference<>();

		Session(Map<String, Object> attributes, @Nullable Principal user) {
			super(attributes, user);
		}

		@Override
		protected void closeInternal(CloseStatus status) {
			Callback.Completable written = new Callback.Completable();
			if (this.goodbye.compareAndSet(null, written)) {
				getNativeSession().close(status.getCode(), status.getReason(), written);
			}
		}

		/**
		 * When the server's close frame is written or never will be; at once if there is
		 * none.
		 */
		void afterGoodbye(Runnable action) {
			Callback.Completable written = this.goodbye.get();
			if (written == null) {
				action.run();
			}
			else {
				written.whenComplete((done, failure) -> action.run());
			}
		}

	}

}
