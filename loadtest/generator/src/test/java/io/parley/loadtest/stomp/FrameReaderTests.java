package io.parley.loadtest.stomp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

import static org.assertj.core.api.Assertions.assertThat;

class FrameReaderTests {

	private static final String MESSAGE = "MESSAGE\nposition:7\nprev:5\ncontent-length:7\n\n{\"é\":1}".replace("é", "e")
			+ "\0";

	private final FrameReader reader = new FrameReader();

	@Test
	void readsAFrameWhereverItIsCut() {
		byte[] bytes = MESSAGE.getBytes(StandardCharsets.UTF_8);
		for (int cut = 1; cut < bytes.length; cut++) {
			List<Message<byte[]>> frames = new ArrayList<>();
			frames.addAll(this.reader.read(ByteBuffer.wrap(bytes, 0, cut)));
			assertThat(frames).as("cut at %d", cut).isEmpty();
			frames.addAll(this.reader.read(ByteBuffer.wrap(bytes, cut, bytes.length - cut)));
			assertThat(frames).as("cut at %d", cut).singleElement().satisfies(FrameReaderTests::isTheMessage);
		}
	}

	@Test
	void readsSeveralFramesAndTheStartOfAnother() {
		assertThat(read(MESSAGE + MESSAGE + "MESSAGE\nposi")).hasSize(2).allSatisfy(FrameReaderTests::isTheMessage);
		assertThat(read("tion:7\nprev:5\n\n{\"e\":1}\0")).singleElement().satisfies(FrameReaderTests::isTheMessage);
	}

	@Test
	void readsAHeartBeatAsAFrameWithoutCommand() {
		assertThat(read("\n")).singleElement()
			.satisfies((frame) -> assertThat(StompHeaderAccessor.wrap(frame).getCommand()).isNull());
		assertThat(read("\n" + MESSAGE)).last().satisfies(FrameReaderTests::isTheMessage);
	}

	@Test
	void readsWhatTheFramesOfAClientSay() {
		LoadMessage message = new LoadMessage("run1", 42, 123_456_789L);
		Message<byte[]> frame = read(new String(StompFrames.send("r", message), StandardCharsets.UTF_8)).getFirst();
		StompHeaderAccessor headers = StompHeaderAccessor.wrap(frame);
		assertThat(headers.getDestination()).isEqualTo("/app/rooms.r.send");
		assertThat(LoadMessage.parse(headers.getReceipt())).isEqualTo(message);
		assertThat(LoadMessage.parse(EventBody.read(frame.getPayload()).text())).isEqualTo(message);
	}

	private List<Message<byte[]>> read(String bytes) {
		return this.reader.read(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.UTF_8)));
	}

	private static void isTheMessage(Message<byte[]> frame) {
		StompHeaderAccessor headers = StompHeaderAccessor.wrap(frame);
		assertThat(headers.getCommand()).isEqualTo(StompCommand.MESSAGE);
		assertThat(headers.getFirstNativeHeader("position")).isEqualTo("7");
		assertThat(frame.getPayload()).asString().isEqualTo("{\"e\":1}");
	}

}
