package io.parley.server.broker;

import org.springframework.messaging.support.ChannelInterceptor;

/**
 * Takes over what one of Spring's broker handlers sends to the sessions: nothing goes on
 * to a client by the channel.
 */
public interface BrokerOutboundInterceptor extends ChannelInterceptor {

}
