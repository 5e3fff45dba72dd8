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
		assertThat(this.link.subscribed).isEqualTo(3);
		assertThat(this.link.confirmed).isEqualTo(3);
		assertThat(new String(wire.publish(FIRST.text(100)), StandardCharsets.UTF_8))
			.contains("destination:/app/rooms.r1.send\n", "receipt:s5-1\n", text(FIRST));
		wire.received(bytes("ERROR\nmessage:no\n\n\0"), true);
		assertThat(this.link.failures).hasSize(1).first().asString().contains("message:no");
	}

	@Test
	void rabbitMqSubscribesToATopicAndSendsWithoutReceipts() {
		RabbitMqWire wire = new RabbitMqWire(this.link, "room1");
		wire.opened();
		assertThat(this.link.taken()).startsWith("CONNECT\n")
			.contains("host:/\n", "login:guest\n", "passcode:guest\n", "heart-beat:10000,10000\n");
		wire.received(bytes("CONNECTED\nversion:1.2\nheart-beat:10000,10000\n\n\0"), true);
		assertThat(this.link.taken()).startsWith("SUBSCRIBE\n")
			.contains("destination:/topic/room1\n", "receipt:subscribed\n");
		readInPieces(wire, bytes("RECEIPT\nreceipt-id:subscribed\n\n\0\n" + message(FIRST, "content-length:100\n")
				+ message(SECOND, "persistent:0\ncontent-length:100\n")));
		assertThat(this.link.subscribed).isEqualTo(3);
		assertThat(new String(wire.publish(FIRST.text(100)), StandardCharsets.UTF_8))
			.startsWith("SEND\ndestination:/topic/room1\n")
			.doesNotContain("receipt")
			.endsWith("\n\n" + text(FIRST) + "\0");
		wire.received(bytes("ERROR\nmessage:access_refused\n\n\0"), true);
		assertThat(this.link.failures).hasSize(1).first().asString().contains("access_refused");
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
		assertThat(this.link.subscribed).isEqualTo(3);
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
		assertThat(this.link.subscribed).as("only the first PONG confirms").isEqualTo(1);
		assertThat(this.link.taken()).isEqualTo("PONG\r\n".repeat(3));
		assertThat(new String(wire.publish(FIRST.text(100)), StandardCharsets.UTF_8))
			.isEqualTo("PUB room1 100\r\n" + text(FIRST) + "\r\n");
		wire.received(bytes("-ERR 'Maximum Connections Exceeded'\r\n"), true);
		assertThat(this.link.failures).containsExactly("-ERR 'Maximum Connections Exceeded'");
	}

	@Test
	void jetStreamCreatesTheStreamAndAConsumerAndCountsAcknowledgements() {
		JetStreamWire wire = new JetStreamWire(this.link, "session5", "room1");
		wire.received(bytes("INFO {\"headers\":true}\r\n"), true);
		assertThat(this.link.taken()).startsWith("CONNECT {")
			.contains("SUB _INBOX.session5.room 1\r\n", "SUB _INBOX.session5.answer.* 2\r\n",
					"PUB $JS.API.STREAM.CREATE.CHAT _INBOX.session5.answer.stream ");
		wire.received(bytes(answer("stream", "{\"created\":1}")), true);
		assertThat(this.link.taken())
			.startsWith("PUB $JS.API.CONSUMER.CREATE.CHAT.session5.chat.room1 _INBOX.session5.answer.consumer ")
			.contains("\"deliver_subject\":\"_INBOX.session5.room\"");
		String headers = "NATS/1.0 100 FlowControl Request\r\n\r\n";
		readInPieces(wire,
				bytes(answer("consumer", "{}") + stored(FIRST)
						+ "HMSG _INBOX.session5.room 1 $JS.FC.CHAT.session5.x %1$d %1$d\r\n%2$s\r\n"
							.formatted(headers.length(), headers)
						+ answer("ack", "{\"stream\":\"CHAT\",\"seq\":7}") + stored(SECOND)));
		assertThat(this.link.subscribed).isEqualTo(1);
		assertThat(this.link.confirmed).isEqualTo(3);
		assertThat(this.link.taken()).isEqualTo("PUB $JS.FC.CHAT.session5.x 0\r\n\r\n".repeat(3));
		assertThat(new String(wire.publish(FIRST.text(100)), StandardCharsets.UTF_8))
			.isEqualTo("PUB chat.room1 _INBOX.session5.answer.ack 100\r\n" + text(FIRST) + "\r\n");
		wire.received(bytes(answer("ack", "{\"error\":{\"code\":503}}")), true);
		assertThat(this.link.failures).containsExactly("{\"error\":{\"code\":503}}");
	}

	@Test
	void jetStreamAnswersAHeartbeatOfAConsumerThatWaits() {
		JetStreamWire wire = new JetStreamWire(this.link, "session5", "room1");
		String waits = "NATS/1.0 100 Idle Heartbeat\r\nNats-Consumer-Stalled: $JS.FC.CHAT.session5.y\r\n\r\n";
		String idle = "NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 3\r\n\r\n";
		for (String headers : List.of(idle, waits)) {
			wire.received(
					bytes("HMSG _INBOX.session5.room 1 %1$d %1$d\r\n%2$s\r\n".formatted(headers.length(), headers)),
					true);
		}
		assertThat(this.link.taken()).isEqualTo("PUB $JS.FC.CHAT.session5.y 0\r\n\r\n");
		assertThat(this.link.failures).isEmpty();
	}

	private static String answer(String request, String payload) {
		return "MSG _INBOX.session5.answer.%s 2 %d\r\n%s\r\n".formatted(request, payload.length(), payload);
	}

	private static String stored(Probe probe) {
		return "MSG chat.room1 1 $JS.ACK.CHAT.session5.1.4.4.1700000000000000000.0 100\r\n" + text(probe) + "\r\n";
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
		assertThat(this.link.subscribed).isEqualTo(3);
		wire.received(new byte[] { (byte) 0x90, 3, 0, 1, (byte) 0x80, 0x20, 2, 0, 5 }, true);
		assertThat(this.link.failures).containsExactly("SUBACK: refused", "CONNACK with code 5");
	}

	@Test
	void socketIoJoinsWithAnAcknowledgementAndAnswersPings() {
		SocketIoWire wire = new SocketIoWire(this.link, "room1");
		wire.opened();
		assertThat(this.link.taken()).as("the server speaks first").isEmpty();
		wire.received(bytes("0{\"sid\":\"a\",\"upgrades\":[],\"pingInterval\":25000}"), true);
		assertThat(this.link.taken()).isEqualTo("40");
		wire.received(bytes("40{\"sid\":\"b\"}"), true);
		assertThat(this.link.taken()).isEqualTo("420[\"join\",\"room1\"]");
		readInPieces(wire, "430[]", event(FIRST), "2", event(SECOND));
		assertThat(this.link.subscribed).isEqualTo(3);
		assertThat(this.link.taken()).isEqualTo("333");
		assertThat(new String(wire.publish(FIRST.text(100)), StandardCharsets.UTF_8)).isEqualTo(event(FIRST));
		wire.received(bytes("44{\"message\":\"Invalid namespace\"}"), true);
		wire.received(bytes("41"), true);
		assertThat(this.link.failures).containsExactly("44{\"message\":\"Invalid namespace\"}", "41");
	}

	private static String event(Probe probe) {
		return "42[\"message\",\"" + text(probe) + "\"]";
	}

	@Test
	void xmppLogsInAndEntersTheRoom() {
		XmppWire wire = new XmppWire(this.link, "localhost", "room1@conference.localhost", "session5");
		wire.opened();
		String opened = this.link.taken();
		assertThat(opened)
			.isEqualTo("<open xmlns='urn:ietf:params:xml:ns:xmpp-framing' to='localhost' version='1.0'/>");
		wire.received(bytes("<open version='1.0' from='localhost'/>"), true);
		wire.received(bytes("<stream:features><mechanisms><mechanism>PLAIN</mechanism>"
				+ "<mechanism>ANONYMOUS</mechanism></mechanisms></stream:features>"), true);
		assertThat(this.link.taken()).startsWith("<auth ").contains("mechanism='ANONYMOUS'");
		wire.received(bytes("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"), true);
		assertThat(this.link.taken()).as("opens the stream again").isEqualTo(opened);
		wire.received(bytes("<open version='1.0' from='localhost'/>"), true);
		wire.received(bytes("<stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></stream:features>"),
				true);
		assertThat(this.link.taken()).startsWith("<iq ").contains("<bind ");
		wire.received(bytes("<iq xmlns='jabber:client' from='localhost' type='get' id='7'/>"), true);
		assertThat(this.link.taken()).isEmpty();
		wire.received(bytes("<iq xmlns='jabber:client' id='bind' type='result'><bind/></iq>"), true);
		assertThat(this.link.taken()).startsWith("<presence ").contains("to='room1@conference.localhost/session5'");
		assertThat(this.link.failures).isEmpty();
	}

	@Test
	void xmppReadsTheMessagesOfTheRoom() {
		XmppWire wire = new XmppWire(this.link, "localhost", "room1@conference.localhost", "session5");
		readInPieces(wire, presence("session4", ""), presence("session5", "<status code='110'/>"),
				"<message type='groupchat'><subject/></message>", groupchat("from='a'", FIRST),
				groupchat("from='b'", SECOND));
		assertThat(this.link.subscribed).as("only the own presence confirms").isEqualTo(3);
		assertThat(new String(wire.publish(FIRST.text(100)), StandardCharsets.UTF_8))
			.isEqualTo(groupchat("to='room1@conference.localhost'", FIRST));
		wire.received(bytes("<message type='error'><body>" + text(FIRST) + "</body><error/></message>"), true);
		wire.received(bytes("<failure><not-authorized/></failure>"), true);
		wire.received(bytes("<stream:features><mechanism>PLAIN</mechanism></stream:features>"), true);
		assertThat(this.link.failures).hasSize(3);
		assertThat(this.link.probes).as("an error repeats the message").hasSize(6);
	}

	private static String presence(String nickname, String status) {
		return "<presence xmlns='jabber:client' from='room1@conference.localhost/" + nickname + "'><x>" + status
				+ "</x></presence>";
	}

	private static String groupchat(String address, Probe probe) {
		return "<message xmlns='jabber:client' " + address + " type='groupchat'><body>" + text(probe)
				+ "</body></message>";
	}

	/**
	 * Lets a protocol read the same WebSocket messages whole, byte by byte, and in two
	 * halves.
	 */
	private void readInPieces(Wire wire, String... messages) {
		for (String message : messages) {
			wire.received(bytes(message), true);
		}
		for (String message : messages) {
			byte[] bytes = bytes(message);
			for (int n = 0; n < bytes.length; n++) {
				wire.received(new byte[] { bytes[n] }, n == bytes.length - 1);
			}
		}
		for (String message : messages) {
			int half = message.length() / 2;
			wire.received(bytes(message.substring(0, half)), false);
			wire.received(bytes(message.substring(half)), true);
		}
		assertThat(this.link.failures).isEmpty();
		assertThat(this.link.probes).containsExactly(FIRST, SECOND, FIRST, SECOND, FIRST, SECOND);
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

		private int subscribed;

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
			this.subscribed++;
		}

		@Override
		public void confirmed() {
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
