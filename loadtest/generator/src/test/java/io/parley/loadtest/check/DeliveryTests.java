package io.parley.loadtest.check;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.parley.loadtest.stomp.LoadMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryTests {

	private static final String RUN = "0123abcd";

	private static final String FRAME = "MESSAGE\ndestination:/topic/rooms.r\nposition:1099511627778\nprev:1099511627777\n\n"
			+ "{\"type\":\"message.posted\",\"position\":9,\"prev\":8,\"text\":\"lt 0123abcd 42 123456789\",\"x\":1}\0";

	@Test
	void findsWhatTheRunLooksAt() {
		assertThat(Delivery.read(buffer(FRAME), RUN))
			.isEqualTo(new Delivery(1_099_511_627_778L, 1_099_511_627_777L, new LoadMessage(RUN, 42, 123_456_789)));
	}

	@Test
	void findsTheSameAsTheDecoder() {
		LoadMessage message = new LoadMessage(RUN, 7, 99);
		String frame = FRAME.replace("lt 0123abcd 42 123456789", message.text());
		assertThat(Delivery.read(buffer(frame), RUN)).isNotNull()
			.satisfies((delivery) -> assertThat(delivery.message()).isEqualTo(LoadMessage.parse(message.text())));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\n", "RECEIPT\nreceipt-id:r\n\n\0", "MESSAGE\n\n{}\0",
			"MESSAGE\nposition:1\nprev:0\n\n{\"text\":\"hello\"}\0",
			"MESSAGE\nposition:1\nprev:0\n\n{\"text\":\"lt 0123abce 42 5\"}\0",
			"MESSAGE\nprev:0\n\n{\"text\":\"lt 0123abcd 42 5\"}\0" })
	void leavesEverythingElseToTheDecoder(String frame) {
		assertThat(Delivery.read(buffer(frame), RUN)).isNull();
	}

	@Test
	void findsAMessageWithoutPositionsWhereThereAreNone() {
		String frame = "MESSAGE\ndestination:/topic/rooms.r\n\n{\"clientId\":\"c\",\"text\":\"lt 0123abcd 42 123456789\"}\0";
		assertThat(Delivery.message(buffer(frame), RUN)).isEqualTo(new LoadMessage(RUN, 42, 123_456_789));
		assertThat(Delivery.message(buffer(frame.replace("0123abcd", "0123abce")), RUN)).as("another run").isNull();
		assertThat(Delivery.message(buffer(frame + "x".repeat(2_000)), RUN)).as("too long").isNull();
	}

	@Test
	void leavesALongFrameToTheDecoder() {
		assertThat(Delivery.read(buffer(FRAME + "x".repeat(2_000)), RUN)).isNull();
	}

	private static ByteBuf buffer(String frame) {
		return Unpooled.copiedBuffer(frame, StandardCharsets.UTF_8);
	}

}
