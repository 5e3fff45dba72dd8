package io.parley.loadtest.study.peers.wire;

/**
 * The connection below a {@link Wire}. Called on the event loop of the connection.
 */
public interface Link {

	/**
	 * Sends bytes as one WebSocket frame.
	 */
	void send(byte[] bytes);

	/**
	 * Called when the server has confirmed the subscription.
	 */
	void subscribed();

	/**
	 * Called for each message of the room.
	 */
	void delivered(Probe probe);

	/**
	 * Called when the server has confirmed a message.
	 */
	void confirmed();

	/**
	 * Called when the server has refused something, or has sent what the protocol does
	 * not allow.
	 */
	void failed(String reason);

}
