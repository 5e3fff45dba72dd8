package io.parley.loadtest.study.peers.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WireTests {

	private static final Probe FIRST = new Probe(3, 7, 11, 1234567890123456789L);

	private static final Probe SECOND = new Probe(3, 8, 12, -5);

	private final Recorder link = new Recorder();

	@Test
	void probesAreFoundInOtherBytes() {
		byte[] bytes = ("{\"a\":\"~P~\"~" + text(FIRST) + "\"}").getBytes(StandardCharsets.UTF_8);
		assertThat(FIRST.text(Probe.LENGTH)).hasSize(Probe.LENGTH);
		assertThat(FIRST.text(100)).hasSize(100);
		assertThat(Probe.find(bytes, 11, bytes.length)).isEqualTo(FIRST);
		assertThat(Probe.find(bytes, 20, bytes.length)).isNull();
	}

	@Test
	void parleyConnectsSubscribesAndReadsFramesWithAndWithoutLength() {
		ParleyWire wire = new ParleyWire(this.link, "secret", "r1", "s5");
		wire.opened();
		assertThat(this.link.taken()).startsWith("CONNECT\n").contains("Authorization:Bearer secret\n");
		wire.received(bytes("CONNECTED\nversion:1.2\n\n\0"), true);
		assertThat(this.link.taken()).startsWith("SUBSCRIBE\n").contains("destination:/topic/rooms.r1\n");
		readInPieces(wire, bytes("\n" + "RECEIPT\nreceipt-id:subscribed\n\n\0" + message(FIRST, "")
				+ "RECEIPT\nreceipt-id:s5-1\n\n\0" + message(SECOND, "content-length:100\n")));
		assertThat(this.link.confirmed).isEqualTo(3);
		assertThat(new String(wire.publish(FIRST.text(100)), StandardCharsets.UTF_8))
			.contains("destination:/app/rooms.r1.send\n", "receipt:s5-1\n", text(FIRST));
		wire.received(bytes("ERROR\nmessage:no\n\n\0"), true);
		assertThat(this.link.failures).hasSize(1).first().asString().contains("message:no");
	}

	private static String message(Probe probe, String headers) {
		return "MESSAGE\nsubscription:room\n" + headers + "\n" + text(probe) + "\0\n";
	}

	@Test
	void centrifugoReadsSeveralObjectsOfAMessageAndAnswersPings() {
		CentrifugoWire wire = new CentrifugoWire(this.link, "room1");
		wire.opened();
		assertThat(this.link.taken()).isEqualTo("{\"id\":1,\"connect\":{}}");
		wire.received(bytes("{\"id\":1,\"connect\":{\"client\":\"c\",\"ping\":25,\"pong\":true}}"), true);
		assertThat(this.link.taken()).isEqualTo("{\"id\":2,\"subscribe\":{\"channel\":\"room1\"}}");
		readInPieces(wire, bytes("{\"id\":2,\"subscribe\":{}}\n{}\n" + push(FIRST) + "\n{\"id\":3,\"publish\":{}}\n"
				+ push(SECOND) + "\n"));
		assertThat(this.link.confirmed).isEqualTo(3);
		assertThat(this.link.taken()).isEqualTo("{}{}{}");
		assertThat(new String(wire.publish(FIRST.text(100)), StandardCharsets.UTF_8))
			.isEqualTo("{\"id\":3,\"publish\":{\"channel\":\"room1\",\"data\":\"" + text(FIRST) + "\"}}");
	}

	@Test
	void centrifugoEndsAnObjectWithTheMessage() {
		CentrifugoWire wire = new CentrifugoWire(this.link, "room1");
		byte[] push = bytes(push(FIRST));
		wire.received(push, true);
		assertThat(this.link.probes).containsExactly(FIRST);
		wire.received(bytes("{\"id\":4,\"error\":{\"code\":103,\"message\":\"permission denied\"}}"), true);
		assertThat(this.link.failures).hasSize(1).first().asString().contains("permission denied");
	}

	private static String push(Probe probe) {
		return "{\"push\":{\"channel\":\"room1\",\"pub\":{\"data\":\"" + text(probe) + "\"}}}";
	}

	@Test
	void natsReadsPayloadsByTheirSize() {
		NatsWire wire = new NatsWire(this.link, "room1");
		wire.opened();
		assertThat(this.link.taken()).isEmpty();
		wire.received(bytes("INFO {\"max_payload\":1048576}\r\n"), true);
		assertThat(this.link.taken()).startsWith("CONNECT {").endsWith("SUB room1 1\r\nPING\r\n");
		readInPieces(wire, bytes("PONG\r\nMSG room1 1 100\r\n" + text(FIRST) + "\r\nPING\r\n"
				+ "MSG room1 1 2\r\n\r\n\r\n" + "MSG room1 1 100\r\n" + text(SECOND) + "\r\n"));
		assertThat(this.link.confirmed).as("only the first PONG confirms").isEqualTo(1);
		assertThat(this.link.taken()).isEqualTo("PONG\r\n".repeat(3));
		assertThat(new String(wire.publish(FIRST.text(100)), StandardCharsets.UTF_8))
			.isEqualTo("PUB room1 100\r\n" + text(FIRST) + "\r\n");
		wire.received(bytes("-ERR 'Maximum Connections Exceeded'\r\n"), true);
		assertThat(this.link.failures).containsExactly("-ERR 'Maximum Connections Exceeded'");
	}

	@Test
	void mqttReadsLengthsOfOneAndTwoBytes() {
		MqttWire wire = new MqttWire(this.link, "session5", "room1");
		wire.opened();
		assertThat(this.link.sent.toByteArray()).startsWith(0x10, 20, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 60, 0, 8);
		this.link.sent.reset();
		wire.received(new byte[] { 0x20, 2, 0, 0 }, true);
		assertThat(this.link.sent.toByteArray()).containsExactly(0x82, 10, 0, 1, 0, 5, 'r', 'o', 'o', 'm', '1', 0);
		byte[] two = wire.publish(SECOND.text(200));
		assertThat(two).as("7 bytes of topic and 200 of payload").startsWith(0x30, 0xCF, 1, 0, 5, 'r');
		ByteArrayOutputStream stream = new ByteArrayOutputStream();
		stream.writeBytes(new byte[] { (byte) 0x90, 3, 0, 1, 0 });
		stream.writeBytes(wire.publish(FIRST.text(100)));
		stream.writeBytes(new byte[] { (byte) 0xD0, 0 });
		stream.writeBytes(two);
		readInPieces(wire, stream.toByteArray());
		assertThat(this.link.confirmed).isEqualTo(3);
		wire.received(new byte[] { (byte) 0x90, 3, 0, 1, (byte) 0x80, 0x20, 2, 0, 5 }, true);
		assertThat(this.link.failures).containsExactly("SUBACK: refused", "CONNACK with code 5");
	}

	/**
	 * Lets a protocol read the same bytes as one piece, byte by byte, and in two halves
	 * that each have a part of a message.
	 */
	private void readInPieces(Wire wire, byte[] bytes) {
		wire.received(bytes, true);
		for (int n = 0; n < bytes.length; n++) {
			wire.received(new byte[] { bytes[n] }, n == bytes.length - 1);
		}
		int half = bytes.length / 2;
		wire.received(Arrays.copyOf(bytes, half), false);
		wire.received(Arrays.copyOfRange(bytes, half, bytes.length), true);
		assertThat(this.link.failures).isEmpty();
		assertThat(this.link.probes).containsExactly(FIRST, SECOND, FIRST, SECOND, FIRST, SECOND);
	}

	private static String text(Probe probe) {
		return new String(probe.text(100), StandardCharsets.UTF_8);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Keeps what a protocol reports.
	 */
	private static final class Recorder implements Link {

		private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

		private final List<Probe> probes = new ArrayList<>();

		private final List<String> failures = new ArrayList<>();

		private int confirmed;

		private String taken() {
			String text = this.sent.toString(StandardCharsets.UTF_8);
			this.sent.reset();
			return text;
		}

		@Override
		public void send(byte[] bytes) {
			this.sent.writeBytes(bytes);
		}

		@Override
		public void subscribed() {
			this.confirmed++;
		}

		@Override
		public void delivered(Probe probe) {
			this.probes.add(probe);
		}

		@Override
		public void failed(String reason) {
			this.failures.add(reason);
		}

	}

}
