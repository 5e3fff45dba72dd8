package io.parley.server.broker;

import org.springframework.messaging.support.ChannelInterceptor;

/**
 * Handles what one of Spring's broker handlers sends to the sessions. Nothing reaches a
 * client through the channel itself.
 */
public interface BrokerOutboundInterceptor extends ChannelInterceptor {

	/**
	 * The interval of heart-beats that sessions promise to the broker. Brokers close
	 * connections that are silent for long.
	 */
	long HEART_BEAT_MILLIS = 20_000;

}
