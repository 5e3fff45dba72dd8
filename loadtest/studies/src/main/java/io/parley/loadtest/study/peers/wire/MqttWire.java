package io.parley.loadtest.study.peers.wire;

import java.io.ByteArrayOutputStream;

import org.jspecify.annotations.Nullable;

/**
 * MQTT 3.1.1 with QoS 0: the server does not confirm messages.
 */
public final class MqttWire extends Wire {

	private static final int CONNECT = 0x10;

	private static final int CONNACK = 0x20;

	private static final int PUBLISH = 0x30;

	private static final int SUBSCRIBE = 0x82;

	private static final int SUBACK = 0x90;

	private static final int PINGREQ = 0xC0;

	private static final int PINGRESP = 0xD0;

	private static final int TYPE = 0xF0;

	private static final int CLEAN_SESSION = 2;

	private static final int VERSION = 4;

	private static final int KEEP_ALIVE_SECONDS = 60;

	private static final int REFUSED = 0x80;

	private static final int LONGEST_LENGTH = 4;

	private final String client;

	private final String topic;

	/**
	 * Creates the protocol of a session.
	 * @param client the id of the client, different for each session
	 */
	public MqttWire(Link link, String client, String topic) {
		super(link);
		this.client = client;
		this.topic = topic;
	}

	@Override
	public void opened() {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		string(body, "MQTT");
		body.write(VERSION);
		body.write(CLEAN_SESSION);
		number(body, KEEP_ALIVE_SECONDS);
		string(body, this.client);
		link().send(packet(CONNECT, body.toByteArray()));
	}

	@Override
	public byte[] publish(byte[] text) {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		string(body, this.topic);
		body.writeBytes(text);
		return packet(PUBLISH, body.toByteArray());
	}

	@Override
	public byte @Nullable [] keepAlive() {
		return packet(PINGREQ, new byte[0]);
	}

	@Override
	public boolean isText() {
		return false;
	}

	@Override
	int take(byte[] bytes, int from, int to, boolean last) {
		int length = 0;
		int at = from + 1;
		int shift = 0;
		while (at < to && (bytes[at] & 0x80) != 0 && shift < 7 * LONGEST_LENGTH) {
			length |= (bytes[at] & 0x7F) << shift;
			shift += 7;
			at++;
		}
		if (at >= to) {
			return INCOMPLETE;
		}
		length |= (bytes[at] & 0x7F) << shift;
		int body = at + 1;
		if (body + length > to) {
			return INCOMPLETE;
		}
		packet(bytes, from, body, body + length);
		return body + length;
	}

	private void packet(byte[] bytes, int from, int body, int end) {
		switch (bytes[from] & TYPE) {
			case PUBLISH -> deliver(bytes, body, end);
			case CONNACK -> connected(bytes[end - 1]);
			case SUBACK -> subscribed(bytes[end - 1] & 0xFF);
			case PINGRESP -> {
			}
			default -> link().failed("MQTT packet of type %d".formatted((bytes[from] & TYPE) >> 4));
		}
	}

	private void connected(int code) {
		if (code != 0) {
			link().failed("CONNACK with code " + code);
			return;
		}
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		number(body, 1);
		string(body, this.topic);
		body.write(0);
		link().send(packet(SUBSCRIBE, body.toByteArray()));
	}

	private void subscribed(int code) {
		if (code == REFUSED) {
			link().failed("SUBACK: refused");
		}
		else {
			link().subscribed();
		}
	}

	private static byte[] packet(int type, byte[] body) {
		ByteArrayOutputStream packet = new ByteArrayOutputStream(body.length + 1 + LONGEST_LENGTH);
		packet.write(type);
		int length = body.length;
		while (length > 0x7F) {
			packet.write(length & 0x7F | 0x80);
			length >>= 7;
		}
		packet.write(length);
		packet.writeBytes(body);
		return packet.toByteArray();
	}

	private static void string(ByteArrayOutputStream body, String text) {
		byte[] bytes = bytes(text);
		number(body, bytes.length);
		body.writeBytes(bytes);
	}

	private static void number(ByteArrayOutputStream body, int number) {
		body.write(number >> 8);
		body.write(number);
	}

}
