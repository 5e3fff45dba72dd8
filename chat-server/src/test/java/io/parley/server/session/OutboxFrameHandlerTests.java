package io.parley.server.session;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jetty answers control frames by itself. It must not do so while a write is in progress.
 */
class OutboxFrameHandlerTests {

	private final FrameHandler jetty = Mockito.mock(FrameHandler.class);

	private final CoreSession core = Mockito.mock(CoreSession.class);

	private final Socket socket = new Socket();

	private final ChatSession chat = new ChatSession("s", "test", this.socket, 0, Runnable::run, 10_000);

	private final OutboxFrameHandler handler = new OutboxFrameHandler(this.jetty);

	@BeforeEach
	void open() {
		this.handler.onOpen(this.core, Callback.NOOP);
		this.handler.attach(this.chat, Runnable::run);
	}

	@Test
	void answersAPingAfterTheWriteInProgress() {
		this.chat.send(new byte[] { 1 });
		this.handler.onFrame(new Frame(OpCode.PING, ByteBuffer.wrap(new byte[] { 7 })), Callback.NOOP);
		assertThat(this.socket.written).hasSize(1);
		this.socket.taken();
		assertThat(this.socket.written.get(1)).containsExactly((byte) 0x8A, (byte) 1, (byte) 7);
		Mockito.verify(this.core).demand();
		Mockito.verify(this.jetty, Mockito.never()).onFrame(ArgumentMatchers.any(), ArgumentMatchers.any());
	}

	@Test
	void letsJettyAnswerACloseFrameWhenNoWriteIsInProgress() {
		Frame close = new CloseStatus(CloseStatus.NORMAL).toFrame();
		this.chat.send(new byte[] { 1 });
		this.handler.onFrame(close, Callback.NOOP);
		Mockito.verify(this.jetty, Mockito.never()).onFrame(ArgumentMatchers.any(), ArgumentMatchers.any());
		this.socket.taken();
		Mockito.verify(this.jetty).onFrame(close, Callback.NOOP);
	}

	@Test
	void consumesHeartBeats() {
		this.chat.traffic().messageReceived("SEND\n\n\0");
		for (String beat : List.of("\n", "\r\n")) {
			this.handler.onFrame(text(beat), Callback.NOOP);
		}
		Mockito.verify(this.core, Mockito.times(2)).demand();
		Mockito.verify(this.jetty, Mockito.never()).onFrame(ArgumentMatchers.any(), ArgumentMatchers.any());
	}

	@Test
	void passesALineEndInsideAFrameToJetty() {
		Frame lineEnd = text("\n");
		this.chat.traffic().messageReceived("SEND\n");
		this.handler.onFrame(lineEnd, Callback.NOOP);
		Mockito.verify(this.jetty).onFrame(lineEnd, Callback.NOOP);
	}

	@Test
	void passesALineEndThatBeginsAMessageToJetty() {
		Frame part = text("\n").setFin(false);
		this.chat.traffic().messageReceived("SEND\n\n\0");
		this.handler.onFrame(part, Callback.NOOP);
		Mockito.verify(this.jetty).onFrame(part, Callback.NOOP);
	}

	@Test
	void recordsActivityOnEveryFrame() {
		long before = System.nanoTime();
		this.handler.onFrame(new Frame(OpCode.PONG), Callback.NOOP);
		assertThat(this.chat.traffic().lastReceived() - before).isNotNegative();
	}

	private static Frame text(String text) {
		return new Frame(OpCode.TEXT, text);
	}

	/** Completes a write on request. */
	private static final class Socket implements FrameSocket {

		final List<byte[]> written = new ArrayList<>();

		private Runnable done = () -> {
		};

		@Override
		public void write(List<byte[]> frames, Runnable done) {
			this.written.addAll(frames);
			this.done = done;
		}

		void taken() {
			this.done.run();
		}

		@Override
		public void close(org.springframework.web.socket.CloseStatus status) {
		}

		@Override
		public void abort() {
		}

	}

}
