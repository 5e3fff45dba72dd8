package io.parley.server.stomp;

import io.parley.server.broker.BrokerProperties;
import io.parley.server.broker.SpringBroker;
import io.parley.server.session.ChatSocketHandler;
import io.parley.server.session.SessionRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.simp.broker.AbstractBrokerMessageHandler;
import org.springframework.messaging.simp.user.UserDestinationResolver;
import org.springframework.messaging.support.AbstractSubscribableChannel;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.config.annotation.DelegatingWebSocketMessageBrokerConfiguration;

/**
 * Replaces {@code @EnableWebSocketMessageBroker}. Puts an {@code Outbox} in front of each
 * socket, and creates Spring's simple broker in broker mode {@code simple} only.
 */
@Configuration
class BrokerConfiguration extends DelegatingWebSocketMessageBrokerConfiguration {

	private final SpringBroker broker;

	private final SessionRegistry sessions;

	/**
	 * Takes the broker properties first, so that binding them reports an invalid mode
	 * before anything else fails.
	 */
	BrokerConfiguration(BrokerProperties properties, SpringBroker broker, SessionRegistry sessions) {
		this.broker = broker;
		this.sessions = sessions;
	}

	/**
	 * Lets sessions receive events until they are closed: then Spring's handlers stop.
	 */
	@Override
	protected int initPhase() {
		return SmartLifecycle.DEFAULT_PHASE - 1;
	}

	@Bean
	@Override
	public WebSocketHandler subProtocolWebSocketHandler(AbstractSubscribableChannel clientInboundChannel,
			AbstractSubscribableChannel clientOutboundChannel) {
		ChatSocketHandler handler = new ChatSocketHandler(clientInboundChannel, clientOutboundChannel, this.sessions);
		handler.setPhase(getPhase());
		return handler;
	}

	@Bean
	@Override
	public @Nullable AbstractBrokerMessageHandler simpleBrokerMessageHandler(
			AbstractSubscribableChannel clientInboundChannel, AbstractSubscribableChannel clientOutboundChannel,
			AbstractSubscribableChannel brokerChannel, UserDestinationResolver userDestinationResolver) {
		return this.broker.isSimple() ? super.simpleBrokerMessageHandler(clientInboundChannel, clientOutboundChannel,
				brokerChannel, userDestinationResolver) : null;
	}

}
