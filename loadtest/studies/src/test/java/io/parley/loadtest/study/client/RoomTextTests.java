package io.parley.loadtest.study.client;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RoomTextTests {

	private static final String HEADERS = "MESSAGE\nsubscription:room\nposition:17\nprev:16\n\n";

	@Test
	void findsTheTextAndWhatItFollows() {
		RoomText found = RoomText.find(frame(HEADERS + "{\"type\":\"message.posted\",\"text\":\"w.3.4.xx\"}\0"));
		assertThat(found).isNotNull();
		assertThat(found.position()).isEqualTo(17);
		assertThat(found.prev()).isEqualTo(16);
		assertThat(new String(found.bytes(), found.from(), 8, StandardCharsets.US_ASCII)).isEqualTo("w.3.4.xx");
		assertThat(found.length()).isEqualTo("w.3.4.xx\"}\0".length());
	}

	@Test
	void knowsTheWholeLengthOfALargeFrame() {
		RoomText found = RoomText.find(frame(HEADERS + "{\"text\":\"" + "x".repeat(10_000) + "\"}\0"));
		assertThat(found).isNotNull();
		assertThat(found.length()).isEqualTo(10_000 + 3);
	}

	@Test
	void leavesOtherFramesToTheDecoder() {
		assertThat(RoomText.find(frame("RECEIPT\nreceipt-id:1\n\n\0"))).isNull();
		assertThat(RoomText.find(frame("MESSAGE\nsubscription:room\n\n{\"text\":\"no position\"}\0"))).isNull();
		assertThat(RoomText.find(frame(HEADERS + "{\"type\":\"member.joined\"}\0"))).isNull();
		assertThat(RoomText.find(frame(""))).isNull();
		assertThat(RoomText.find(frame(HEADERS + "{\"a\":\"" + "x".repeat(2000) + "\",\"text\":\"late\"}\0"))).isNull();
	}

	private static ByteBuf frame(String text) {
		return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
	}

}
