package io.parley.loadtest.study.peers.wire;

import io.parley.loadtest.stomp.StompFrames;

/**
 * STOMP as RabbitMQ speaks it. Without a receipt, the server does not confirm messages.
 */
public final class RabbitMqWire extends StompWire {

	/** The user that RabbitMQ creates, which is also its password. */
	private static final String GUEST = "guest";

	private static final String VIRTUAL_HOST = "/";

	private final String destination;

	/**
	 * Creates the protocol of a session.
	 * @param topic the routing key of the room
	 */
	public RabbitMqWire(Link link, String topic) {
		super(link);
		this.destination = "/topic/" + topic;
	}

	@Override
	byte[] connect() {
		return StompFrames.plainConnect(VIRTUAL_HOST, GUEST, GUEST);
	}

	@Override
	byte[] subscribe() {
		return StompFrames.confirmedSubscribe(this.destination);
	}

	@Override
	public byte[] publish(byte[] text) {
		return StompFrames.sendText(this.destination, text);
	}

}
