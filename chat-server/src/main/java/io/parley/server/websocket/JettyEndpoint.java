package io.parley.server.websocket;

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
 * Spring's endpoint of a WebSocket, which ensures that the server's close frame is sent
 * when both sides close at once. Jetty ends the connection as soon as the client's close
 * frame arrives, even if its own is not written yet. The class is public because Jetty
 * looks up its methods.
 */
public final class JettyEndpoint extends JettyWebSocketHandlerAdapter {

	private final Session session;

	JettyEndpoint(WebSocketHandler handler, Map<String, Object> attributes, @Nullable Principal user) {
		this(handler, new Session(attributes, user));
	}

	private JettyEndpoint(WebSocketHandler handler, Session session) {
		super(handler, session);
		this.session = session;
	}

	@Override
	public void onWebSocketClose(int statusCode, String reason, Callback callback) {
		super.onWebSocketClose(statusCode, reason,
				Callback.from(() -> this.session.afterCloseFrame(callback::succeed), callback::fail));
	}

	/** Closes without waiting for the network; Spring's session would wait. */
	private static final class Session extends JettyWebSocketSession {

		private final AtomicReference<Callback.@Nullable Completable> closeFrame = new AtomicReference<>();

		Session(Map<String, Object> attributes, @Nullable Principal user) {
			super(attributes, user);
		}

		@Override
		protected void closeInternal(CloseStatus status) {
			Callback.Completable written = new Callback.Completable();
			if (this.closeFrame.compareAndSet(null, written)) {
				getNativeSession().close(status.getCode(), status.getReason(), written);
			}
		}

		/**
		 * Runs the action when the server's close frame is written or has failed, or at
		 * once if there is none.
		 */
		void afterCloseFrame(Runnable action) {
			Callback.Completable written = this.closeFrame.get();
			if (written == null) {
				action.run();
			}
			else {
				written.whenComplete((done, failure) -> action.run());
			}
		}

	}

}
