package io.parley.server.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.internal.Generator;
import org.eclipse.jetty.websocket.core.internal.Parser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MergedFrameTests {

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 125, 126, 127, 65_535, 65_536 })
	void isReadAsOneMessageEach(int length) {
		List<String> messages = List.of("first ä", "x".repeat(length), "", "y".repeat(length), "last \uD83D\uDE00");
		assertThat(read(wire(MergedFrame.of(messages.stream().map(MergedFrameTests::utf8).toList()))))
			.containsExactlyElementsOf(messages);
	}

	/** As Jetty lays it out: the header that it makes, and the payload. */
	private static ByteBuffer wire(MergedFrame frame) {
		ByteBuffer header = BufferUtil.allocate(Generator.MAX_HEADER_LENGTH);
		new Generator().generateHeader(frame, header);
		return ByteBuffer.allocate(header.remaining() + frame.getPayload().remaining())
			.put(header)
			.put(frame.getPayload())
			.flip();
	}

	private static List<String> read(ByteBuffer wire) {
		Parser parser = new Parser(new ArrayByteBufferPool());
		List<String> texts = new ArrayList<>();
		for (Frame frame = parser.parse(wire); frame != null; frame = parser.parse(wire)) {
			texts.add(StandardCharsets.UTF_8.decode(frame.getPayload()).toString());
		}
		return texts;
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
