package io.parley.server.stomp;

import java.util.List;

import io.parley.server.account.OriginProperties;
import io.parley.server.broker.BrokerOutboundInterceptor;
import io.parley.server.broker.SpringBroker;
import io.parley.server.session.InboundExecutor;
import io.parley.server.session.SessionProperties;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketTransportRegistration;
import org.springframework.web.socket.server.RequestUpgradeStrategy;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

/**
 * Configures the path of inbound and outbound frames.
 *
 * <pre>
 * in:  socket → InboundFrames → queue of the session → MessageController … → log
 * out: log → Tail → Dispatcher → LiveDelivery → Outbox of the session → socket
 * </pre>
 */
@Configuration
class WebSocketConfiguration implements WebSocketMessageBrokerConfigurer {

	private final SessionProperties sessions;

	private final OriginProperties origins;

	private final InboundExecutor inboundExecutor;

	private final InboundFrames inbound;

	private final ObjectProvider<BrokerOutboundInterceptor> brokerOutbound;

	private final SpringBroker broker;

	private final RequestUpgradeStrategy upgrade;

	private final ErrorFrames errors;

	WebSocketConfiguration(SessionProperties sessions, OriginProperties origins, InboundExecutor inboundExecutor,
			InboundFrames inbound, ObjectProvider<BrokerOutboundInterceptor> brokerOutbound, SpringBroker broker,
			RequestUpgradeStrategy upgrade, ErrorFrames errors) {
		this.sessions = sessions;
		this.origins = origins;
		this.inboundExecutor = inboundExecutor;
		this.inbound = inbound;
		this.brokerOutbound = brokerOutbound;
		this.broker = broker;
		this.upgrade = upgrade;
		this.errors = errors;
	}

	@Override
	public void configureClientInboundChannel(ChannelRegistration channel) {
		channel.executor(this.inboundExecutor.executor()).interceptors(this.inbound);
	}

	/**
	 * Sends in the calling thread: frames of Spring's broker are added to the outboxes,
	 * which never block.
	 */
	@Override
	public void configureClientOutboundChannel(ChannelRegistration channel) {
		channel.executor(new SyncTaskExecutor());
		this.brokerOutbound.ifAvailable(channel::interceptors);
	}

	@Override
	public void configureMessageBroker(MessageBrokerRegistry registry) {
		registry.setApplicationDestinationPrefixes("/app").setPathMatcher(new DestinationMatcher());
		this.broker.register(registry);
	}

	@Override
	public void registerStompEndpoints(StompEndpointRegistry registry) {
		registry.setErrorHandler(this.errors)
			.addEndpoint("/ws")
			.setHandshakeHandler(new DefaultHandshakeHandler(this.upgrade))
			.setAllowedOrigins(this.origins.allowedOrigins().toArray(String[]::new));
	}

	@Override
	public void configureWebSocketTransport(WebSocketTransportRegistration transport) {
		transport.setMessageSizeLimit((int) this.sessions.frameBytes().toBytes());
	}

	@Override
	public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
		resolvers.add(new SessionArgument());
	}

}
