package io.parley.server.delivery;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.events.Destination;
import io.parley.server.error.ChatException;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.session.ChatSession;
import io.parley.server.session.OutboundFrames;
import io.parley.server.session.SessionSubscription;
import io.parley.server.session.StompFrames;
import io.parley.server.timeline.History;
import io.parley.server.timeline.HistoryProperties;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.timeline.RoomHeadReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;

/**
 * Opens and ends subscriptions. To a room's events, a subscription first gets
 * {@code subscribed}, then all missed events in order, then live events, then the
 * receipt.
 */
@Component
public class RoomSubscriptionService {

	private static final Logger log = LoggerFactory.getLogger(RoomSubscriptionService.class);

	private static final int OPEN_SECONDS = 5;

	private final RoomAccess access;

	private final UserEvents userEvents;

	private final LiveDelivery live;

	private final FollowerWriter followers;

	private final History history;

	private final RoomHeadReader heads;

	private final HistoryProperties properties;

	private final OutboundFrames outbound;

	private final JsonMapper json;

	private final Counter gaps;

	private final Counter recovered;

	private final Counter notRecovered;

	private final ReplayBudget budget;

	RoomSubscriptionService(RoomAccess access, UserEvents userEvents, LiveDelivery live, FollowerWriter followers,
			History history, RoomHeadReader heads, HistoryProperties properties, ReplayBudget budget,
			OutboundFrames outbound, JsonMapper json, MeterRegistry meters) {
		this.access = access;
		this.userEvents = userEvents;
		this.live = live;
		this.followers = followers;
		this.history = history;
		this.heads = heads;
		this.properties = properties;
		this.budget = budget;
		this.outbound = outbound;
		this.json = json;
		this.gaps = meters.counter("chat.delivery.gaps");
		this.recovered = meters.counter("chat.resumes", "recovered", "true");
		this.notRecovered = meters.counter("chat.resumes", "recovered", "false");
	}

	/** The first event of a subscription. */
	private record Subscribed(String type, String room, long head, boolean recovered) {
	}

	/**
	 * Reports that events were skipped because the session did not keep up. The client
	 * must read them from the history.
	 */
	private record Gap(String type, String room, long after, long head) {
	}

	/**
	 * Subscribes to the events of a room. Returns when the subscription is registered;
	 * the replay runs in the background.
	 * @param after the last position that the client has, or null
	 * @throws io.parley.server.error.ChatException if the user is not a member
	 */
	public void subscribe(ChatSession session, String id, Destination.RoomTopic topic, @Nullable Long after,
			@Nullable String receipt) {
		RoomSubscription subscription = new RoomSubscription(session, id, topic, this.live, new LiveRoom(topic));
		this.followers.entered(topic.room(), session);
		CompletableFuture<Void> opened = open(subscription, topic.room());
		subscription.setReceipt((receipt != null) ? StompFrames.receipt(receipt) : null);
		Thread.ofVirtual().name("replay-" + session.id()).start(() -> {
			awaitOpen(opened);
			replay(subscription, topic.room(), after, receipt);
		});
	}

	/**
	 * Waits up to 5 seconds for the broker's confirmation. Events that an unconfirmed
	 * subscription misses are delivered later.
	 */
	private static void awaitOpen(CompletableFuture<Void> opened) {
		opened.copy().completeOnTimeout(null, OPEN_SECONDS, TimeUnit.SECONDS).exceptionally((failure) -> null).join();
	}

	/** A room as seen by its subscriptions. */
	private final class LiveRoom implements SubscribedRoom {

		private final Destination.RoomTopic topic;

		LiveRoom(Destination.RoomTopic topic) {
			this.topic = topic;
		}

		@Override
		public byte[] gap(String subscription, long after, long head) {
			RoomSubscriptionService.this.gaps.increment();
			return StompFrames.message(subscription, this.topic, RoomSubscriptionService.this.outbound.nextId(),
					RoomSubscriptionService.this.json
						.writeValueAsBytes(new Gap("gap", this.topic.room(), after, head)));
		}

		@Override
		public List<PositionedEvent> after(long position, long upTo) {
			return RoomSubscriptionService.this.history.allAfter(this.topic.room(), position, upTo);
		}

		@Override
		public void left(ChatSession session) {
			RoomSubscriptionService.this.followers.left(this.topic.room(), session);
		}

		@Override
		public void failed(ChatSession session, String subscription, RuntimeException cause) {
			log.warn("Replay of room {} failed; the client must subscribe again", this.topic.room(), cause);
			end(session, subscription);
			session.close(CloseStatus.SERVER_ERROR);
		}

	}

	/**
	 * Subscribes to the signals of a room.
	 * @throws io.parley.server.error.ChatException if the user is not a member
	 */
	public void subscribe(ChatSession session, String id, Destination.SignalsTopic topic, @Nullable String receipt) {
		open(new TopicSubscription(session, id, topic, this.live), topic.room())
			.whenComplete((opened, failure) -> this.outbound.receipt(session, receipt));
	}

	/**
	 * Registers the subscription before it checks the membership: a removal from the room
	 * either finds the subscription or is found by the check.
	 */
	private CompletableFuture<Void> open(TopicSubscription subscription, String room) {
		ChatSession session = subscription.session();
		session.subscriptions().put(subscription.id(), subscription);
		try {
			loadRooms(room, session.user());
			this.access.require(RoomAction.READ, room, session.user());
		}
		catch (RuntimeException ex) {
			end(session, subscription.id());
			throw ex;
		}
		CompletableFuture<Void> opened = this.live.open(subscription);
		if (session.ended()) {
			end(session, subscription.id());
		}
		return opened;
	}

	/** A client that returns subscribes to all its rooms: looks them up together. */
	private void loadRooms(String room, String user) {
		try {
			this.heads.remember(this.access.load(room, user));
		}
		catch (ChatException ex) {
			// The database is unavailable; what is known may be enough.
			log.debug("Failed to look up the rooms of a user", ex);
		}
	}

	/** Ends the subscription with this id, if there is one. */
	public void end(ChatSession session, String id) {
		SessionSubscription subscription = session.subscriptions().remove(id);
		if (subscription != null) {
			subscription.end();
		}
	}

	/** Runs the replay. The replays of a session run one at a time. */
	private void replay(RoomSubscription subscription, String room, @Nullable Long after, @Nullable String receipt) {
		ChatSession session = subscription.session();
		try {
			session.replays().acquire();
			try {
				if (!subscription.ended()) {
					begin(subscription, room, after);
				}
				// Also if the subscription has ended meanwhile: the client waits for the
				// RECEIPT.
				subscription.sendReceipt();
			}
			finally {
				session.replays().release();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ChatException ex) {
			reject(subscription, ex, receipt);
		}
		catch (RuntimeException ex) {
			subscription.failed(ex);
		}
	}

	/**
	 * Ends a subscription if it cannot be determined now what the client has missed. The
	 * session stays open.
	 */
	private void reject(RoomSubscription subscription, ChatException error, @Nullable String receipt) {
		ChatSession session = subscription.session();
		subscription.setReceipt(null);
		end(session, subscription.id());
		this.userEvents.sendError(session, error, subscription.destination().toString(), receipt);
	}

	private void begin(RoomSubscription subscription, String room, @Nullable Long after) throws InterruptedException {
		Replay replay = new Replay(subscription, room, this.history, this.heads, this.properties, this.budget);
		Replay.Start start = replay.start(after);
		if (after != null) {
			(start.recovered() ? this.recovered : this.notRecovered).increment();
		}
		subscription.startAfter((start.recovered() && after != null) ? after : start.head(), StompFrames.message(
				subscription.id(), subscription.destination(), this.outbound.nextId(),
				this.json.writeValueAsBytes(new Subscribed("subscribed", room, start.head(), start.recovered()))));
		replay.run();
		subscription.goLive();
	}

}
