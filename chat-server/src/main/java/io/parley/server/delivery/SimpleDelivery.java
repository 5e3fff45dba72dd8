package io.parley.server.delivery;

import java.util.concurrent.CompletableFuture;

import io.parley.server.broker.BrokerOutboundInterceptor;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.MessageBuilder;

/**
 * {@code chat.broker.mode=simple}: Spring's in-memory broker fans out. Only this class
 * subscribes there. What the broker sends to a session is passed to its subscription.
 */
class SimpleDelivery implements LiveDelivery, BrokerOutboundInterceptor {

	private static final String FRAME = "chatFrame";

	private static final byte[] EMPTY = {};

	private final MessageHandler broker;

	private final SessionRegistry sessions;

	SimpleDelivery(MessageHandler broker, SessionRegistry sessions) {
		this.broker = broker;
		this.sessions = sessions;
	}

	/**
	 * Opens and closes a subscription one after the other: the broker's cache of
	 * destinations keeps a subscription for ever that is removed while it is added.
	 */
	@Override
	public CompletableFuture<Void> open(TopicSubscription subscription) {
		synchronized (subscription) {
			if (!subscription.ended()) {
				sendToBroker(subscription, SimpMessageType.SUBSCRIBE);
			}
		}
		return OPEN;
	}

	@Override
	public void close(TopicSubscription subscription) {
		synchronized (subscription) {
			sendToBroker(subscription, SimpMessageType.UNSUBSCRIBE);
		}
	}

	private void sendToBroker(TopicSubscription subscription, SimpMessageType type) {
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
	public void afterDelivered(ChatSession session, Runnable action) {
		action.run();
	}

	/**
	 * Passes frames from the broker to the subscriptions. Nothing continues into the
	 * channel.
	 */
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
