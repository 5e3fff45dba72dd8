package io.parley.loadtest.study.peers.wire;

/**
 * NATS with JetStream: the room is a subject of a stream. Each message is published with
 * a reply subject, to which the stream sends its acknowledgement. An ordered push
 * consumer of the session reads the stream: without acknowledgements, with flow control.
 */
public final class JetStreamWire extends NatsWire {

	private static final String STREAM = "CHAT";

	private static final String FLOW_CONTROL = "$JS.FC.";

	private static final String ERROR = "\"error\":{";

	private final String consumer;

	private final String inbox;

	private final String answer;

	/**
	 * Creates the protocol of a session.
	 * @param consumer the name of its consumer
	 */
	public JetStreamWire(Link link, String consumer, String room) {
		super(link, "chat." + room);
		this.consumer = consumer;
		this.inbox = "_INBOX." + consumer;
		this.answer = "MSG " + this.inbox + ".answer.";
	}

	@Override
	public boolean confirms() {
		return true;
	}

	@Override
	public byte[] publish(byte[] text) {
		return bytes(pub(subject(), answerTo("ack"), text(text, 0, text.length)));
	}

	/**
	 * Each session asks for the stream. The server creates it for the first one only.
	 */
	@Override
	String start() {
		return connect(true) + "SUB " + this.inbox + ".room 1" + LINE + "SUB " + answerTo("*") + " 2" + LINE
				+ pub("$JS.API.STREAM.CREATE." + STREAM, answerTo("stream"),
						"{\"name\":\"%s\",\"subjects\":[\"chat.*\"],\"storage\":\"file\",\"retention\":\"limits\"}"
							.formatted(STREAM));
	}

	@Override
	void message(byte[] bytes, int from, int line, int payload, int end) {
		if (startsWith(bytes, from, line, this.answer)) {
			answer(bytes, from + this.answer.length(), payload, end);
		}
		else if (startsWith(bytes, from, line, HEADERS)) {
			control(bytes, from, end);
		}
		else {
			deliver(bytes, payload, end);
		}
	}

	private void answer(byte[] bytes, int kind, int payload, int end) {
		if (indexOf(bytes, payload, end, ERROR) >= 0) {
			link().failed(text(bytes, payload, end));
		}
		else if (startsWith(bytes, kind, payload, "ack ")) {
			link().confirmed();
		}
		else if (startsWith(bytes, kind, payload, "stream ")) {
			link().send(bytes(pub("$JS.API.CONSUMER.CREATE.%s.%s.%s".formatted(STREAM, this.consumer, subject()),
					answerTo("consumer"), consumer())));
		}
		else {
			ready();
		}
	}

	/**
	 * Returns the configuration that the clients of NATS use for an ordered consumer.
	 */
	private String consumer() {
		return ("{\"stream_name\":\"%s\",\"config\":{\"name\":\"%s\",\"filter_subject\":\"%s\","
				+ "\"deliver_subject\":\"%s.room\",\"deliver_policy\":\"new\",\"ack_policy\":\"none\",\"max_deliver\":1,"
				+ "\"flow_control\":true,\"idle_heartbeat\":5000000000,\"mem_storage\":true,\"num_replicas\":1}}")
			.formatted(STREAM, this.consumer, subject(), this.inbox);
	}

	/**
	 * Answers a request of flow control, without which the server stops to deliver. A
	 * heartbeat may repeat it.
	 */
	private void control(byte[] bytes, int from, int end) {
		int request = indexOf(bytes, from, end, FLOW_CONTROL);
		if (request >= 0) {
			int after = request;
			while (after < end && bytes[after] > ' ') {
				after++;
			}
			link().send(bytes("PUB " + text(bytes, request, after) + " 0" + LINE + LINE));
		}
	}

	private String answerTo(String request) {
		return this.inbox + ".answer." + request;
	}

	private static String pub(String subject, String answerTo, String payload) {
		return "PUB " + subject + " " + answerTo + " " + payload.length() + LINE + payload + LINE;
	}

}
