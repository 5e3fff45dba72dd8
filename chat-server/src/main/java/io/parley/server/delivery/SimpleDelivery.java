package io.parley.server.delivery;

import java.util.concurrent.CompletableFuture;

import io.parley.server.broker.BrokerOutboundInterceptor;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Lazy;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.stereotype.Component;

/**
 * {@code chat.broker.mode=simple}: Spring's broker in memory fans out. It is told what to
 * subscribe by us alone, and what it sends to a session goes to the subscription there.
 */
@Component
@ConditionalOnProperty(name = "chat.broker.mode", havingValue = "simple", matchIfMissing = true)
class SimpleDelivery implements LiveDelivery, BrokerOutboundInterceptor {

	private static final String FRAME = "chatFrame";

	private static final byte[] EMPTY = {};

	private final MessageHandler broker;

	private final SessionRegistry sessions;

	SimpleDelivery(@Lazy @Qualifier("simpleBrokerMessageHandler") MessageHandler broker, SessionRegistry sessions) {
		this.broker = broker;
		this.sessions = sessions;
	}

	@Override
	public CompletableFuture<Void> open(TopicSubscription subscription) {
		tell(subscription, SimpMessageType.SUBSCRIBE);
		if (subscription.ended()) {
			// Its end may have been here before.
			close(subscription);
		}
		return OPEN;
	}

	@Override
	public void close(TopicSubscription subscription) {
		tell(subscription, SimpMessageType.UNSUBSCRIBE);
	}

	private void tell(TopicSubscription subscription, SimpMessageType type) {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(type);
		headers.setSessionId(subscription.session().id());
		headers.setSubscriptionId(subscription.id());
		headers.setDestination(subscription.destination().toString());
		this.broker.handleMessage(MessageBuilder.createMessage(EMPTY, headers.getMessageHeaders()));
	}

	@Override
	public void deliver(LiveFrame frame) {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
		headers.setDestination(frame.topic().toString());
		headers.setHeader(FRAME, frame);
		this.broker.handleMessage(MessageBuilder.createMessage(EMPTY, headers.getMessageHeaders()));
	}

	@Override
	public void then(ChatSession session, Runnable action) {
		action.run();
	}

	/** On the way from the broker to the session: nothing goes on from here. */
	@Override
	public @Nullable Message<?> preSend(Message<?> message, MessageChannel channel) {
		LiveFrame frame = message.getHeaders().get(FRAME, LiveFrame.class);
		ChatSession session = this.sessions.find(SimpMessageHeaderAccessor.getSessionId(message.getHeaders()));
		String id = SimpMessageHeaderAccessor.getSubscriptionId(message.getHeaders());
		if (frame != null && session != null && id != null
				&& session.subscriptions().get(id) instanceof TopicSubscription subscription) {
			subscription.deliver(frame);
		}
		return null;
	}

}
