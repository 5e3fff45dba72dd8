package io.parley.server.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.internal.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Reads the frames with Jetty's parser. */
class WebSocketFramesTests {

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 125, 126, 127, 65_535, 65_536 })
	void areReadAsOneMessageEach(int length) {
		List<String> messages = List.of("first ä", "x".repeat(length), "", "y".repeat(length), "last \uD83D\uDE00");
		ByteBuffer wire = ByteBuffer.allocate(200_000);
		messages.forEach((message) -> wire.put(WebSocketFrames.text(utf8(message))));
		assertThat(read(wire.flip(), OpCode.TEXT)).containsExactlyElementsOf(messages);
	}

	@Test
	void answerAPingWithItsPayload() {
		ByteBuffer payload = ByteBuffer.wrap(utf8("are you there?"));
		byte[] pong = WebSocketFrames.pong(payload);
		assertThat(read(ByteBuffer.wrap(pong), OpCode.PONG)).containsExactly("are you there?");
		assertThat(payload.remaining()).isEqualTo(14);
	}

	private static List<String> read(ByteBuffer wire, byte expected) {
		Parser parser = new Parser(new ArrayByteBufferPool());
		List<String> texts = new ArrayList<>();
		for (Frame.Parsed frame = parser.parse(wire); frame != null; frame = parser.parse(wire)) {
			assertThat(frame.getOpCode()).isEqualTo(expected);
			assertThat(frame.isFin()).isTrue();
			assertThat(frame.isMasked()).isFalse();
			texts.add(StandardCharsets.UTF_8.decode(frame.getPayload()).toString());
		}
		return texts;
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
