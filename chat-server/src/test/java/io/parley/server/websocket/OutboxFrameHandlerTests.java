package io.parley.server.websocket;

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

	private final Owner owner = new Owner();

	private final OutboxFrameHandler handler = new OutboxFrameHandler(this.jetty);

	@BeforeEach
	void open() {
		this.handler.onOpen(this.core, Callback.NOOP);
		this.handler.attach(this.owner, Runnable::run);
	}

	@Test
	void answersAPingAfterTheWriteInProgress() {
		this.owner.send(new byte[] { 1 });
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
		this.owner.send(new byte[] { 1 });
		this.handler.onFrame(close, Callback.NOOP);
		Mockito.verify(this.jetty, Mockito.never()).onFrame(ArgumentMatchers.any(), ArgumentMatchers.any());
		this.socket.taken();
		Mockito.verify(this.jetty).onFrame(close, Callback.NOOP);
	}

	@Test
	void consumesHeartBeats() {
		this.handler.onFrame(text("\n"), Callback.NOOP);
		Mockito.verify(this.core).demand();
		Mockito.verify(this.jetty, Mockito.never()).onFrame(ArgumentMatchers.any(), ArgumentMatchers.any());
	}

	@Test
	void passesAMessageThatIsNoHeartBeatToJetty() {
		Frame message = text("SEND\n");
		this.handler.onFrame(message, Callback.NOOP);
		Mockito.verify(this.jetty).onFrame(message, Callback.NOOP);
	}

	@Test
	void passesALineEndThatBeginsAMessageToJetty() {
		Frame part = text("\n").setFin(false);
		this.handler.onFrame(part, Callback.NOOP);
		Mockito.verify(this.jetty).onFrame(part, Callback.NOOP);
	}

	@Test
	void reportsEveryFrameToTheOwner() {
		this.handler.onFrame(new Frame(OpCode.PONG), Callback.NOOP);
		this.handler.onFrame(text("SEND\n"), Callback.NOOP);
		assertThat(this.owner.received).containsExactly(0, 5);
	}

	@Test
	void doesNotReadAFrameThatTheOwnerRejects() {
		this.owner.accepts = false;
		this.handler.onFrame(text("SEND\n"), Callback.NOOP);
		assertThat(this.owner.rejected).isOne();
		Mockito.verify(this.core).demand();
		Mockito.verify(this.jetty, Mockito.never()).onFrame(ArgumentMatchers.any(), ArgumentMatchers.any());
	}

	private static Frame text(String text) {
		return new Frame(OpCode.TEXT, text);
	}

	/** Takes a line feed for a heart-beat. */
	private final class Owner implements SocketOwner {

		private final Outbox outbox = new Outbox(OutboxFrameHandlerTests.this.socket, Runnable::run, 10_000, () -> {
		});

		private final List<Integer> received = new ArrayList<>();

		private boolean accepts = true;

		private int rejected;

		@Override
		public boolean frameReceived(int bytes) {
			this.received.add(bytes);
			return this.accepts;
		}

		@Override
		public void rejectFrame() {
			this.rejected++;
		}

		@Override
		public boolean isHeartBeat(ByteBuffer message) {
			return message.equals(ByteBuffer.wrap(new byte[] { '\n' }));
		}

		@Override
		public void send(byte[] frame) {
			this.outbox.send(frame);
		}

		@Override
		public void finish(Runnable next) {
			this.outbox.finish(next);
		}

		@Override
		public void close(org.springframework.web.socket.CloseStatus status) {
			this.outbox.close(status);
		}

	}

	/** Completes a write on request. */
	private static final class Socket implements FrameSocket {

		final List<byte[]> written = new ArrayList<>();

		private Runnable done = () -> {
		};

		@Override
		public void write(byte[] frames, Runnable done) {
			this.written.add(frames);
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
