package io.parley.server.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import io.parley.server.websocket.FrameSocket;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

class ChatSocketOwnerTests {

	private final FrameSocket socket = Mockito.mock(FrameSocket.class);

	private final ChatSession session = new ChatSession("s", "test", this.socket, 0, Runnable::run, 10_000);

	private final ChatSocketOwner owner = new ChatSocketOwner(this.session);

	@Test
	void takesALineEndBetweenFramesForAHeartBeat() {
		this.session.traffic().messageReceived("SEND\n\n\0");
		assertThat(this.owner.isHeartBeat(bytes("\n"))).isTrue();
		assertThat(this.owner.isHeartBeat(bytes("\r\n"))).isTrue();
		assertThat(this.owner.isHeartBeat(bytes("SEND"))).isFalse();
	}

	@Test
	void takesALineEndInsideAFrameForAPartOfIt() {
		this.session.traffic().messageReceived("SEND\n");
		assertThat(this.owner.isHeartBeat(bytes("\n"))).isFalse();
	}

	@Test
	void recordsActivityOnEveryFrame() {
		long before = System.nanoTime();
		assertThat(this.owner.frameReceived(0)).isTrue();
		assertThat(this.session.traffic().lastReceived() - before).isNotNegative();
	}

	@Test
	void rejectsTooManyBytesBeforeConnect() {
		assertThat(this.owner.frameReceived(16 * 1024)).isTrue();
		assertThat(this.owner.frameReceived(1)).isFalse();
		this.owner.rejectFrame();
		Mockito.verify(this.socket).close(ClientTraffic.TOO_MUCH_BEFORE_CONNECT);
	}

	private static ByteBuffer bytes(String text) {
		return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
	}

}
