package io.parley.server.stomp;

import java.time.Duration;

import io.parley.events.Destination;
import io.parley.server.delivery.RoomSubscriptionService;
import io.parley.server.delivery.UserEvents;
import io.parley.server.error.ErrorCode;
import io.parley.server.limits.KeyedBuckets;
import io.parley.server.limits.LimitProperties;
import io.parley.server.session.ChatSession;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Component;

/**
 * Handles SUBSCRIBE. There are three kinds of destinations; patterns and selectors are
 * not supported.
 */
@Component
class SubscribeFrames implements InboundFrames.Work {

	private static final int MAX_ID = 64;

	/** After a pause, the frames of this many seconds may arrive at once. */
	private static final int BURST_SECONDS = 10;

	private final RoomSubscriptionService rooms;

	private final UserEvents userEvents;

	private final LimitProperties limits;

	private final KeyedBuckets<String> rate;

	SubscribeFrames(RoomSubscriptionService rooms, UserEvents userEvents, LimitProperties limits) {
		this.rooms = rooms;
		this.userEvents = userEvents;
		this.limits = limits;
		this.rate = new KeyedBuckets<>((long) BURST_SECONDS * limits.subscribesPerSecond(),
				Duration.ofSeconds(BURST_SECONDS));
	}

	@Override
	public void handle(ChatSession session, StompHeaderAccessor frame) {
		if (this.rate.take(session.id()) > 0) {
			throw ErrorCode.RATE_LIMITED.because("More than " + this.limits.subscribesPerSecond()
					+ " SUBSCRIBE frames a second; pause and send it again.");
		}
		Destination destination = Destination.parse(frame.getDestination());
		String id = requireId(session, frame);
		requireNotSubscribed(session, destination);
		if (frame.getFirstNativeHeader("selector") != null) {
			throw ErrorCode.BAD_FRAME.because("Selectors are not supported; filter in the client.");
		}
		switch (destination) {
			case Destination.RoomTopic topic ->
				this.rooms.subscribe(session, id, topic, after(frame), frame.getReceipt());
			case Destination.SignalsTopic topic -> this.rooms.subscribe(session, id, topic, frame.getReceipt());
			case Destination.UserEvents events -> this.userEvents.subscribe(session, id, frame.getReceipt());
			case null, default -> throw ErrorCode.BAD_DESTINATION.because("SUBSCRIBE to /topic/rooms.<room>, "
					+ "/topic/rooms.<room>.signals or /user/queue/events; there are no patterns.");
		}
	}

	private String requireId(ChatSession session, StompHeaderAccessor frame) {
		String id = frame.getSubscriptionId();
		if (id == null || id.isEmpty() || id.length() > MAX_ID) {
			throw ErrorCode.BAD_FRAME.because("SUBSCRIBE needs an id of 1 to " + MAX_ID + " characters.");
		}
		if (session.subscriptions().get(id) != null) {
			throw ErrorCode.DUPLICATE_SUBSCRIPTION
				.because("The subscription id '" + id + "' is in use; choose another.");
		}
		this.limits.requireSubscriptionFits(session.subscriptions().size() + 1);
		return id;
	}

	/**
	 * Rejects a second subscription to the same destination: the client would receive and
	 * replay each event twice.
	 */
	private static void requireNotSubscribed(ChatSession session, @Nullable Destination destination) {
		if (session.subscriptions().any((subscription) -> subscription.destination().equals(destination))) {
			throw ErrorCode.DUPLICATE_SUBSCRIPTION
				.because("This session has subscribed to " + destination + " already; use that subscription.");
		}
	}

	static @Nullable Long after(StompHeaderAccessor frame) {
		String after = frame.getFirstNativeHeader("after");
		if (after == null) {
			return null;
		}
		try {
			long position = Long.parseLong(after.strip());
			if (position >= 0) {
				return position;
			}
		}
		catch (NumberFormatException ex) {
			// rejected below
		}
		throw ErrorCode.BAD_POSITION.because("'after' must be a position, a whole number from 0.");
	}

}
