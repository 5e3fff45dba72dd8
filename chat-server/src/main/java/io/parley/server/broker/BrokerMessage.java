package io.parley.server.broker;

import org.jspecify.annotations.Nullable;

/**
 * A message sent to the broker or received from it.
 *
 * @param topic the destination
 * @param position the position of an event, or 0
 * @param prev the position of the previous event, or 0 if there is none
 * @param json the body; must not be changed
 */
public record BrokerMessage(String topic, long position, long prev, byte[] json) {

	static final String POSITION = "position";

	static final String PREV = "prev";

	/**
	 * Creates a message that was received with these headers. Only messages of
	 * chat-servers have a position.
	 */
	static BrokerMessage of(String topic, @Nullable String position, @Nullable String prev, byte[] json) {
		return new BrokerMessage(topic, number(position), number(prev), json);
	}

	private static long number(@Nullable String header) {
		try {
			return (header != null) ? Long.parseLong(header) : 0;
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

}
