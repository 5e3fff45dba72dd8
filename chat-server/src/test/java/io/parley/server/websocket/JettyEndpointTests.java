package io.parley.server.websocket;

import java.util.Map;

import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jetty closes the connection when the callback of the client's close frame completes.
 */
class JettyEndpointTests {

	private static final int NORMAL = CloseStatus.NORMAL.getCode();

	private final Session jetty = Mockito.mock(Session.class, Mockito.RETURNS_DEEP_STUBS);

	private final WebSocketHandler handler = Mockito.mock(WebSocketHandler.class);

	private final JettyEndpoint endpoint = new JettyEndpoint(this.handler, Map.of(), null);

	private final Callback.Completable closeFrameHandled = new Callback.Completable();

	@Test
	void keepsTheConnectionUntilItsOwnCloseFrameIsWritten() throws Exception {
		Callback written = close();
		this.endpoint.onWebSocketClose(NORMAL, "", this.closeFrameHandled);
		assertThat(this.closeFrameHandled).isNotDone();
		written.succeed();
		assertThat(this.closeFrameHandled).isCompleted();
	}

	@Test
	void endsTheConnectionWhenTheCloseFrameCannotBeWritten() throws Exception {
		Callback written = close();
		this.endpoint.onWebSocketClose(NORMAL, "", this.closeFrameHandled);
		written.fail(new IllegalStateException("cut"));
		assertThat(this.closeFrameHandled).isCompleted();
	}

	@Test
	void endsTheConnectionAtOnceWhenOnlyTheClientCloses() throws Exception {
		open();
		this.endpoint.onWebSocketClose(NORMAL, "", this.closeFrameHandled);
		assertThat(this.closeFrameHandled).isCompleted();
	}

	/**
	 * Closes the session and returns the callback of the pending write of the close
	 * frame.
	 */
	private Callback close() throws Exception {
		WebSocketSession session = open();
		session.close(CloseStatus.NORMAL);
		session.close(CloseStatus.SERVER_ERROR);
		ArgumentCaptor<Callback> written = ArgumentCaptor.forClass(Callback.class);
		Mockito.verify(this.jetty)
			.close(ArgumentMatchers.eq(NORMAL), ArgumentMatchers.nullable(String.class), written.capture());
		return written.getValue();
	}

	private WebSocketSession open() throws Exception {
		this.endpoint.onWebSocketOpen(this.jetty);
		ArgumentCaptor<WebSocketSession> session = ArgumentCaptor.forClass(WebSocketSession.class);
		Mockito.verify(this.handler).afterConnectionEstablished(session.capture());
		return session.getValue();
	}

}
