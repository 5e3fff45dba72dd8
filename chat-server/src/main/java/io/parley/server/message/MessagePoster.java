package io.parley.server.message;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.events.EventType;
import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import io.parley.events.RoomEvent;
import io.parley.server.account.AccountStateCache;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.Accepted;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.ExceptionTranslator;
import io.parley.server.hook.MessageHook;
import io.parley.server.json.JsonField;
import io.parley.server.json.StrictJson;
import io.parley.server.limits.LimitProperties;
import io.parley.server.limits.RateLimits;
import io.parley.server.room.ReadPositions;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.RecentMessages;
import io.parley.server.timeline.RecentMessages.Place;
import io.parley.server.timeline.RoomHeadReader;
import io.parley.server.timeline.RoomWriter;
import io.parley.store.event.RoomPosition;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Accepts messages and their changes: validates and appends them, and notifies the
 * sender's devices once the log has confirmed. The readers of the log take it from there:
 * {@code delivery.Dispatcher} delivers to sockets, the persistence-worker stores, and the
 * notification-worker pushes to offline users. Safe for use by many threads.
 */
@Component
class MessagePoster {

	private final AccountStateCache accounts;

	private final RoomAccess access;

	private final RecentMessages recent;

	private final RoomWriter writer;

	private final UserEvents userEvents;

	private final AcceptedElsewhere elsewhere;

	private final ReadPositions read;

	private final RoomHeadReader heads;

	private final MessageChanges changes;

	private final ReactionGate reactions;

	private final PinGate pins;

	private final ThreadReplies replies;

	private final MessageMentions mentions;

	private final SlowModeGate slowMode;

	private final MessageHook hook;

	private final Counter accepted;

	private final LimitProperties limits;

	private final RateLimits rates;

	private final StrictJson json;

	MessagePoster(LimitProperties limits, RateLimits rates, StrictJson json, AccountStateCache accounts,
			RoomAccess access, RecentMessages recent, RoomWriter writer, UserEvents userEvents,
			AcceptedElsewhere elsewhere, ReadPositions read, RoomHeadReader heads, MessageChanges changes,
			ReactionGate reactions, PinGate pins, ThreadReplies replies, MessageMentions mentions,
			SlowModeGate slowMode, MessageHook hook, MeterRegistry meters) {
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
		this.heads = heads;
		this.changes = changes;
		this.reactions = reactions;
		this.pins = pins;
		this.replies = replies;
		this.mentions = mentions;
		this.slowMode = slowMode;
		this.hook = hook;
		this.accepted = meters.counter("chat.messages.accepted");
	}

	/**
	 * Posts a message, or returns the original one if its client id was posted before.
	 * @param thread the root of the thread if it is not in the body, or null
	 * @param body the JSON of a {@link MessageDraft}
	 * @return the accepted message, once it is durable and its event was sent to the
	 * sender's devices on this server; completed exceptionally with a
	 * {@link ChatException} if the append fails
	 * @throws ChatException if the message is invalid, too large or exceeds a rate limit,
	 * or if the sender is suspended or may not post in the room; it carries the client id
	 * if there is one
	 */
	CompletableFuture<Accepted> post(String room, String sender, @Nullable Long thread, byte[] body) {
		MessageDraft draft = read(body, (fields) -> MessageDraft.of(fields, thread));
		require(RoomAction.POST, room, sender, draft.clientId());
		return post(room, sender, draft, true);
	}

	/**
	 * Posts a message that was scheduled, like {@link #post}. Its sender has used the
	 * allowance when it was scheduled.
	 */
	CompletableFuture<Accepted> postScheduled(String room, String sender, MessageDraft draft) {
		require((user) -> {
		}, () -> this.access.require(RoomAction.POST, room, sender), sender, draft.clientId());
		// The sender may not have seen what was posted before it.
		boolean hasReadAll = this.read.isKnown(room, sender, this.heads.position(room));
		return post(room, sender, draft, hasReadAll);
	}

	/**
	 * Returns the message that the sender has posted with that client id, or null.
	 * @throws ChatException {@code store-unavailable} if that is not known
	 */
	@Nullable Place posted(String room, String sender, String clientId) {
		Place recently = this.recent.find(room, sender, clientId);
		return (recently != null) ? recently : this.changes.stored(room, sender, clientId);
	}

	private CompletableFuture<Accepted> post(String room, String sender, MessageDraft draft, boolean reads) {
		EventType type = (draft.thread() != Positions.NONE) ? EventType.THREAD_POSTED : EventType.MESSAGE_POSTED;
		return accept(type, room, sender, draft.clientId(), reads && type.isRoomMessage(),
				() -> this.slowMode.pass(room, sender, draft.clientId(),
						() -> append(checked(new MessagePosted(room, UUID.randomUUID().toString(), sender,
								draft.clientId(), Instant.now().truncatedTo(ChronoUnit.MILLIS), draft.text(),
								draft.extra(), false, this.replies.requireAnswerable(room, draft.replyTo()),
								this.replies.inThread(room, draft.thread()),
								this.mentions.of(room, sender, draft.mentions(), null))))));
	}

	/**
	 * Replaces the text of a message, like {@link #post}.
	 * @param target the position of the message if it is not in the body, or null
	 * @param body the JSON of a {@link ChangeDraft}
	 */
	CompletableFuture<Accepted> edit(String room, String sender, @Nullable Long target, byte[] body) {
		ChangeDraft draft = read(body, (fields) -> ChangeDraft.edit(fields, target));
		require(RoomAction.POST, room, sender, draft.clientId());
		return accept(EventType.MESSAGE_EDITED, room, sender, draft.clientId(), false,
				() -> change(room, sender, draft.clientId(), () -> checked(this.changes.edit(room, sender, draft))));
	}

	/**
	 * Deletes a message, like {@link #post}.
	 * @param target the position of the message if it is not in the body, or null
	 * @param body the JSON of a {@link ChangeDraft}
	 */
	CompletableFuture<Accepted> delete(String room, String sender, @Nullable Long target, byte[] body) {
		ChangeDraft draft = read(body, (fields) -> ChangeDraft.delete(fields, target));
		require(RoomAction.READ, room, sender, draft.clientId());
		return accept(EventType.MESSAGE_DELETED, room, sender, draft.clientId(), false,
				() -> change(room, sender, draft.clientId(), () -> this.changes.delete(room, sender, draft)));
	}

	/**
	 * Reacts to a message, or takes a reaction back, like {@link #post}. A change without
	 * effect is accepted too.
	 * @param body the JSON of a {@link ReactionDraft}
	 */
	CompletableFuture<Accepted> react(String room, String sender, byte[] body) {
		ReactionDraft draft = read(body, ReactionDraft::of);
		return react(room, sender, draft);
	}

	CompletableFuture<Accepted> react(String room, String sender, ReactionDraft draft) {
		require(this.rates::takeReaction, () -> this.access.require(RoomAction.POST, room, sender), sender,
				draft.clientId());
		return this.reactions.change(new RoomPosition(room, draft.target()), draft.change(sender))
			.handle((reacted, failure) -> {
				if (failure != null) {
					throw ExceptionTranslator.ofMessage(failure).withClientId(draft.clientId());
				}
				Accepted accepted = new Accepted(draft.clientId(), room, reacted.position(), reacted.id());
				if (draft.clientId() != null) {
					this.userEvents.sendHere(sender, accepted);
				}
				return accepted;
			});
	}

	/**
	 * Pins a message or ends its pin, like {@link #post}. A change without effect is
	 * accepted too.
	 * @param draft reads the body
	 */
	CompletableFuture<Accepted> pin(String room, String sender, byte[] body,
			Function<Map<String, JsonField>, PinDraft> draft) {
		PinDraft pin = read(body, draft);
		require(this.rates::takeMessage, () -> this.access.requirePin(room, sender), sender, pin.clientId());
		return accept(EventType.PIN_CHANGED, room, sender, pin.clientId(), false, () -> {
			Place stored = (pin.clientId() != null) ? this.changes.stored(room, sender, pin.clientId()) : null;
			return CompletableFuture
				.completedFuture((stored != null) ? stored : this.pins.change(room, sender, pin, this::append));
		});
	}

	private void require(RoomAction action, String room, String sender, String clientId) {
		require(this.rates::takeMessage, () -> this.access.require(action, room, sender), sender, clientId);
	}

	/** Requires that the user may do it, and not too fast. */
	private void require(Consumer<String> rate, Runnable permission, String sender, @Nullable String clientId) {
		try {
			rate.accept(sender);
			this.accounts.requireMayWrite(sender);
			permission.run();
		}
		catch (ChatException ex) {
			throw ex.withClientId(clientId);
		}
	}

	/**
	 * Returns the event if the hook allows it and the sender may still post. Blocks only
	 * the sender's session or request, so others do not wait.
	 */
	private RoomEvent checked(RoomEvent event) {
		if (this.hook.isOn()) {
			this.hook.check(event);
			// The sender may have been muted or removed meanwhile.
			this.accounts.requireMayWrite(event.sender());
			this.access.require(RoomAction.POST, event.room(), event.sender());
		}
		return event;
	}

	/**
	 * Appends an event, once if it has a client id, and then notifies the devices of its
	 * sender.
	 * @param reads whether the sender has read the room up to the event
	 */
	private CompletableFuture<Accepted> accept(EventType type, String room, String sender, @Nullable String clientId,
			boolean reads, Supplier<CompletableFuture<Place>> append) {
		CompletableFuture<Place> appended = (clientId != null) ? this.recent.once(room, sender, clientId, append)
				: append.get();
		return appended.handle((place, failure) -> {
			if (failure != null) {
				throw ExceptionTranslator.ofMessage(failure).withClientId(clientId);
			}
			if (!place.type().equals(type)) {
				throw ErrorCode.BAD_MESSAGE.because("This 'clientId' was used for something else; choose another.")
					.withClientId(clientId);
			}
			if (reads) {
				this.read.advance(room, sender, place.position());
			}
			Accepted accepted = new Accepted(clientId, room, place.position(), place.id());
			if (clientId != null) {
				this.userEvents.sendHere(sender, accepted);
			}
			return accepted;
		});
	}

	private <T> T read(byte[] body, Function<Map<String, JsonField>, T> draft) {
		try {
			this.limits.requireMessageFits(body.length);
		}
		catch (ChatException ex) {
			throw ex.withClientId(MessageDraft.clientId(this.json, body));
		}
		return MessageDraft.parse(this.json, body, draft);
	}

	private CompletableFuture<Place> change(String room, String sender, String clientId, Supplier<RoomEvent> change) {
		Place stored = this.changes.stored(room, sender, clientId);
		return (stored != null) ? CompletableFuture.completedFuture(stored) : append(change.get());
	}

	private CompletableFuture<Place> append(RoomEvent message) {
		this.elsewhere.postedHere(message.id());
		return this.writer.append(message).whenComplete((place, failure) -> {
			if (failure == null && message.type().isMessage()) {
				this.accepted.increment();
			}
			if (failure != null) {
				this.elsewhere.failedHere(message.id());
			}
		});
	}

}
