package io.parley.server.message;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.events.MessagePosted;
import io.parley.server.account.AccountStates;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.Accepted;
import io.parley.server.error.ChatException;
import io.parley.server.error.ChatExceptions;
import io.parley.server.json.StrictJson;
import io.parley.server.limits.LimitProperties;
import io.parley.server.limits.RateLimits;
import io.parley.server.room.ReadPositions;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.RecentMessages;
import io.parley.server.timeline.RecentMessages.Place;
import io.parley.server.timeline.RoomWriter;

import org.springframework.stereotype.Component;

/**
 * Accepts messages: validates and appends them, and notifies the sender's devices once
 * the log has confirmed. The readers of the log take it from there:
 * {@code delivery.Dispatcher} delivers to sockets, the persistence-worker stores, and the
 * notification-worker pushes to offline users. Safe for use by many threads.
 */
@Component
class MessagePoster {

	private final AccountStates accounts;

	private final RoomAccess access;

	private final RecentMessages recent;

	private final RoomWriter writer;

	private final UserEvents userEvents;

	private final AcceptedElsewhere elsewhere;

	private final ReadPositions read;

	private final Counter accepted;

	private final LimitProperties limits;

	private final RateLimits rates;

	private final StrictJson json;

	MessagePoster(LimitProperties limits, RateLimits rates, StrictJson json, AccountStates accounts, RoomAccess access,
			RecentMessages recent, RoomWriter writer, UserEvents userEvents, AcceptedElsewhere elsewhere,
			ReadPositions read, MeterRegistry meters) {
		this.limits = limits;
		this.rates = rates;
		this.json = json;
		this.accounts = accounts;
		this.access = access;
		this.recent = recent;
		this.writer = writer;
		this.userEvents = userEvents;
		this.elsewhere = elsewhere;
		this.read = read;
		this.accepted = meters.counter("chat.messages.accepted");
	}

	/**
	 * Posts a message, or returns the original one if its client id was posted before.
	 * @param body the JSON of a {@link MessageDraft}
	 * @return the accepted message, once it is durable and its event was sent to the
	 * sender's devices on this server; completed exceptionally with a
	 * {@link ChatException} if the append fails
	 * @throws ChatException if the message is invalid, too large or exceeds a rate limit,
	 * or if the sender is suspended or may not post in the room; it carries the client id
	 * if there is one
	 */
	CompletableFuture<Accepted> post(String room, String sender, byte[] body) {
		MessageDraft draft = read(body);
		try {
			this.rates.takeMessage(sender);
			this.accounts.requireMayWrite(sender);
			this.access.require(RoomAction.POST, room, sender);
		}
		catch (ChatException ex) {
			throw ex.withClientId(draft.clientId());
		}
		return this.recent.once(room, sender, draft.clientId(), () -> append(room, sender, draft))
			.handle((place, failure) -> {
				if (failure != null) {
					throw ChatExceptions.ofMessage(failure).withClientId(draft.clientId());
				}
				this.read.advance(room, sender, place.position());
				Accepted accepted = new Accepted(draft.clientId(), room, place.position(), place.id());
				this.userEvents.sendHere(sender, accepted);
				return accepted;
			});
	}

	private MessageDraft read(byte[] body) {
		try {
			this.limits.requireMessageFits(body.length);
		}
		catch (ChatException ex) {
			throw ex.withClientId(MessageDraft.clientId(this.json, body));
		}
		return MessageDraft.parse(this.json, body);
	}

	private CompletableFuture<Place> append(String room, String sender, MessageDraft draft) {
		MessagePosted message = new MessagePosted(room, UUID.randomUUID().toString(), sender, draft.clientId(),
				Instant.now().truncatedTo(ChronoUnit.MILLIS), draft.text(), draft.extra());
		this.elsewhere.postedHere(message.id());
		return this.writer.append(message).whenComplete((place, failure) -> {
			if (failure == null) {
				this.accepted.increment();
			}
			else {
				this.elsewhere.failedHere(message.id());
			}
		});
	}

}
