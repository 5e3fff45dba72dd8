package io.parley.server.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

import io.parley.server.websocket.FrameSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.Mockito;

import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;

class ChatSessionTests {

	private final FrameSocket socket = Mockito.mock(FrameSocket.class);

	private final ChatSession session = new ChatSession("s", "test", this.socket, 0, Runnable::run, 10_000);

	@Test
	void takesALineEndBetweenFramesForAHeartBeat() {
		this.session.traffic().messageReceived("SEND\n\n\0");
		assertThat(this.session.isHeartBeat(bytes("\n"))).isTrue();
		assertThat(this.session.isHeartBeat(bytes("\r\n"))).isTrue();
		assertThat(this.session.isHeartBeat(bytes("SEND"))).isFalse();
	}

	@Test
	void takesALineEndInsideAFrameForAPartOfIt() {
		this.session.traffic().messageReceived("SEND\n");
		assertThat(this.session.isHeartBeat(bytes("\n"))).isFalse();
	}

	@Test
	void recordsActivityOnEveryFrame() {
		Instant before = this.session.lastReceivedAt();
		Awaitility.await().until(() -> this.session.traffic().silentNanos(System.nanoTime()) > 50_000_000);
		assertThat(this.session.frameReceived(0)).isTrue();
		assertThat(this.session.lastReceivedAt()).isAfter(before.plusMillis(40));
	}

	@Test
	void rejectsTooManyBytesBeforeConnect() {
		assertThat(this.session.frameReceived(16 * 1024)).isTrue();
		assertThat(this.session.frameReceived(1)).isFalse();
		this.session.rejectFrame();
		Mockito.verify(this.socket).close(ClientTraffic.TOO_MUCH_BEFORE_CONNECT);
	}

	@Test
	void dropsWhatIsQueuedWhenItsSignInEnds() {
		this.session.send(new byte[] { 0 });
		this.session.send(new byte[] { 1 });
		this.session.signOut();
		this.session.send(new byte[] { 2 });
		assertThat(this.session.signedOut()).isTrue();
		assertThat(this.session.isClosingOrExpired()).isTrue();
		// The socket has taken the first frame.
		ArgumentCaptor<Runnable> written = ArgumentCaptor.forClass(Runnable.class);
		Mockito.verify(this.socket).write(Mockito.any(), written.capture());
		Mockito.verify(this.socket, Mockito.never()).close(Mockito.any());
		written.getValue().run();
		Mockito.verify(this.socket).close(ChatSession.SIGNED_OUT);
		Mockito.verify(this.socket, Mockito.times(1)).write(Mockito.any(), Mockito.any());
	}

	@Test
	void endsWithTheCodeOfTheServerThatTheClientHasNotRead() {
		assertThat(this.session.closeCode(CloseStatus.NORMAL)).isEqualTo(1000);
		this.session.send(new byte[] { 0 });
		this.session.close(ChatSession.FELL_BEHIND);
		assertThat(this.session.closeCode(CloseStatus.NO_CLOSE_FRAME)).isEqualTo(4413);
		this.session.signOut();
		assertThat(this.session.closeCode(CloseStatus.NO_CLOSE_FRAME)).isEqualTo(4413);
	}

	@Test
	void endsWithTheCodeOfTheEndOfItsSignIn() {
		this.session.signOut();
		assertThat(this.session.closeCode(CloseStatus.NO_CLOSE_FRAME)).isEqualTo(4403);
	}

	@Test
	void abortsASocketThatDoesNotTakeTheEndOfItsSignIn() {
		this.session.send(new byte[] { 0 });
		this.session.signOut();
		Mockito.verify(this.socket, Mockito.timeout(10_000)).abort();
	}

	@Test
	void closesOnceWhenItsSignInEndsWhileItCloses() {
		this.session.send(new byte[] { 0 });
		this.session.close(ChatSession.FELL_BEHIND);
		this.session.signOut();
		ArgumentCaptor<Runnable> written = ArgumentCaptor.forClass(Runnable.class);
		Mockito.verify(this.socket).write(Mockito.any(), written.capture());
		written.getValue().run();
		Mockito.verify(this.socket).close(ChatSession.FELL_BEHIND);
		Mockito.verify(this.socket, Mockito.never()).close(ChatSession.SIGNED_OUT);
	}

	private static ByteBuffer bytes(String text) {
		return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
	}

}
