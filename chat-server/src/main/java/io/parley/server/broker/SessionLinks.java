package io.parley.server.broker;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.messaging.support.MessageHeaderAccessor;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Spring's relay, with one connection to the broker for each session. Spring opens it
 * when the client connects and closes it when the client disconnects. All other frames on
 * it are created here, so no data of a client reaches the broker.
 */
public class SessionLinks implements BrokerOutboundInterceptor {

	private static final Logger log = LoggerFactory.getLogger(SessionLinks.class);

	private static final byte[] EMPTY = {};

	private final MessageHandler relay;

	private final BrokerDialect dialect;

	private final Map<String, Link> links = new ConcurrentHashMap<>();

	private final AtomicLong lastId = new AtomicLong();

	private final Owner owner;

	/**
	 * Creates the links of all sessions.
	 * @param relay Spring's relay
	 */
	public SessionLinks(MessageHandler relay, BrokerProperties.Kind kind, Owner owner) {
		this.relay = relay;
		this.dialect = BrokerDialect.of(kind);
		this.owner = owner;
	}

	/** Knows the sessions. */
	public interface Owner {

		boolean isOpen(String session);

		/** Called when a session has lost its connection to the broker. */
		void lost(String session);

	}

	/** The connection of a session. */
	private static final class Link {

		private final CompletableFuture<Void> connected = new CompletableFuture<>();

		private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>(4);

	}

	/**
	 * A subscription at the broker. The lock of its link keeps UNSUBSCRIBE after
	 * SUBSCRIBE, because brokers reject an unknown id.
	 */
	private record Subscription(Consumer<BrokerMessage> messages, CompletableFuture<Void> confirmed,
			AtomicBoolean sent) {
	}

	/** Returns a new subscription id. The broker never sees the ids of clients. */
	public String nextId() {
		return "s" + this.lastId.incrementAndGet();
	}

	/**
	 * Subscribes a session as soon as it is connected to the broker.
	 * @param id an id from {@link #nextId}
	 * @param messages called in the order of the broker
	 * @return completes when the broker has confirmed the subscription
	 */
	public CompletableFuture<Void> subscribe(String session, String id, String topic,
			Consumer<BrokerMessage> messages) {
		Link link = link(session);
		Subscription subscription = new Subscription(messages, new CompletableFuture<>(), new AtomicBoolean());
		link.subscriptions.put(id, subscription);
		if (!this.owner.isOpen(session)) {
			forget(session);
		}
		StompHeaderAccessor frame = frame(StompCommand.SUBSCRIBE, session);
		frame.setSubscriptionId(id);
		frame.setDestination(topic);
		frame.setReceipt(id);
		this.dialect.subscribe().forEach(frame::setNativeHeader);
		link.connected.thenRun(() -> {
			synchronized (link) {
				if (link.subscriptions.containsKey(id)) {
					forward(frame);
					subscription.sent().set(true);
				}
			}
		});
		return subscription.confirmed();
	}

	/** Ends a subscription, if it exists. */
	public void unsubscribe(String session, String id) {
		Link link = this.links.get(session);
		if (link != null) {
			StompHeaderAccessor frame = frame(StompCommand.UNSUBSCRIBE, session);
			frame.setSubscriptionId(id);
			synchronized (link) {
				Subscription subscription = link.subscriptions.remove(id);
				if (subscription != null && subscription.sent().get()) {
					forward(frame);
				}
			}
		}
	}

	private Link link(String session) {
		return this.links.computeIfAbsent(session, (id) -> new Link());
	}

	/** Removes a session that has ended. Spring closes its connection. */
	public void forget(String session) {
		this.links.remove(session);
	}

	/** Closes the connection of a session that ended while it was being connected. */
	private void connected(String session) {
		if (this.owner.isOpen(session)) {
			link(session).connected.complete(null);
		}
		else {
			forget(session);
			forward(frame(StompCommand.DISCONNECT, session));
		}
	}

	@Override
	public @Nullable Message<?> preSend(Message<?> message, MessageChannel channel) {
		StompHeaderAccessor frame = MessageHeaderAccessor.getAccessor(message, StompHeaderAccessor.class);
		String session = (frame != null) ? frame.getSessionId() : null;
		if (frame != null && frame.getCommand() != null && session != null) {
			handle(frame, session, (byte[]) message.getPayload());
		}
		return null;
	}

	private void handle(StompHeaderAccessor frame, String session, byte[] body) {
		switch (frame.getCommand()) {
			case CONNECTED -> connected(session);
			case RECEIPT -> {
				Subscription subscription = subscription(session, frame.getReceiptId());
				if (subscription != null) {
					subscription.confirmed().complete(null);
				}
			}
			case MESSAGE -> {
				Subscription subscription = subscription(session, frame.getSubscriptionId());
				String destination = frame.getDestination();
				if (subscription != null && destination != null) {
					subscription.messages()
						.accept(BrokerMessage.of(destination, frame.getFirstNativeHeader(BrokerMessage.POSITION),
								frame.getFirstNativeHeader(BrokerMessage.PREV), body));
				}
			}
			case ERROR -> failed(session, frame, body);
			case null, default -> {
			}
		}
	}

	/**
	 * Handles an ERROR. Spring's own, which has no body, reports a lost connection. The
	 * broker's reports a rejected frame; if the broker then closes the connection,
	 * Spring's follows.
	 */
	private void failed(String session, StompHeaderAccessor frame, byte[] body) {
		if (body.length > 0 && subscription(session, frame.getReceiptId()) == null) {
			log.warn("The broker rejected a frame of session {}: {}", session, frame.getMessage());
			return;
		}
		forget(session);
		this.owner.lost(session);
	}

	private @Nullable Subscription subscription(String session, @Nullable String id) {
		Link link = this.links.get(session);
		return (link != null && id != null) ? link.subscriptions.get(id) : null;
	}

	/** Sends heart-beats: Spring itself sends none for silent sessions. */
	@Scheduled(fixedDelay = HEART_BEAT_MILLIS / 2)
	void beat() {
		this.links.forEach((session, link) -> {
			if (link.connected.isDone()) {
				StompHeaderAccessor beat = StompHeaderAccessor.createForHeartbeat();
				beat.setSessionId(session);
				forward(beat);
			}
		});
	}

	private static StompHeaderAccessor frame(StompCommand command, String session) {
		StompHeaderAccessor frame = StompHeaderAccessor.create(command);
		frame.setSessionId(session);
		return frame;
	}

	private void forward(StompHeaderAccessor frame) {
		this.relay.handleMessage(MessageBuilder.createMessage(EMPTY, frame.getMessageHeaders()));
	}

}
