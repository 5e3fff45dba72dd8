package io.parley.server.broker;

import org.jspecify.annotations.Nullable;

/**
 * What goes to the broker or comes from it.
 *
 * @param topic its destination
 * @param position of an event, 0 for what has none
 * @param prev the position before it, 0 for none
 * @param json the body, not to be changed
 */
public record BrokerMessage(String topic, long position, long prev, byte[] json) {

	static final String POSITION = "position";

	static final String PREV = "prev";

	/** A message that came with these headers; only ours have a position. */
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
