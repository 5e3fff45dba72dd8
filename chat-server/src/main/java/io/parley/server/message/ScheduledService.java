package io.parley.server.message;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.parley.server.account.AccountStateCache;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.ScheduledChanged;
import io.parley.server.delivery.UserEvents.ScheduledView;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.json.JsonField;
import io.parley.server.json.StrictJson;
import io.parley.server.json.WireTime;
import io.parley.server.limits.LimitProperties;
import io.parley.server.limits.RateLimits;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.store.scheduled.ScheduledMessage;
import io.parley.store.scheduled.ScheduledMessageRepository;
import io.parley.store.scheduled.ScheduledMessageRepository.Added;
import io.parley.store.scheduled.ScheduledState;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Keeps messages that are sent later, until a {@link ScheduledSender} sends them. Whether
 * the author may post is decided when that happens; what is certain to be refused then is
 * refused at once. Safe for use by many threads.
 */
@Component
class ScheduledService {

	private static final Set<String> NOT_IN_BODY = Set.of("clientId", "sendAt");

	private static final int ATTEMPTS = 5;

	private final LimitProperties limits;

	private final RateLimits rates;

	private final StrictJson json;

	private final AccountStateCache accounts;

	private final RoomAccess access;

	private final ThreadReplies replies;

	private final MessageMentions mentions;

	private final ScheduledMessageRepository messages;

	private final UserEvents userEvents;

	private final ScheduledProperties properties;

	ScheduledService(LimitProperties limits, RateLimits rates, StrictJson json, AccountStateCache accounts,
			RoomAccess access, ThreadReplies replies, MessageMentions mentions, ScheduledMessageRepository messages,
			UserEvents userEvents, ScheduledProperties properties) {
		this.limits = limits;
		this.rates = rates;
		this.json = json;
		this.accounts = accounts;
		this.access = access;
		this.replies = replies;
		this.mentions = mentions;
		this.messages = messages;
		this.userEvents = userEvents;
		this.properties = properties;
	}

	/**
	 * A message that was scheduled now or before.
	 *
	 * @param isNew false if the user has used the client id before
	 */
	record Made(ScheduledView message, boolean isNew) {
	}

	/** Returns the messages of a user that wait or have failed, the next one first. */
	List<ScheduledView> of(String user) {
		return this.messages.of(user).stream().map(ScheduledService::view).toList();
	}

	/**
	 * Schedules a message, once for each client id, and tells the user's devices.
	 * @throws ChatException if the message or its time is not valid, the user may not
	 * write in the room or has scheduled too many messages
	 */
	Made create(String user, String room, byte[] body) {
		this.rates.takeMessage(user);
		this.limits.requireMessageFits(body.length);
		Map<String, JsonField> fields = this.json.read(body, ErrorCode.BAD_MESSAGE);
		Instant sendAt = sendAt(fields);
		if (sendAt == null) {
			throw ErrorCode.BAD_MESSAGE.because("The message needs a time 'sendAt' such as 2026-01-31T08:00:00Z.");
		}
		MessageDraft draft = MessageDraft.of(withoutTime(fields), null);
		this.accounts.requireMayWrite(user);
		this.access.require(RoomAction.PREPARE, room, user);
		ScheduledMessage before = this.messages.find(user, room, draft.clientId()).orElse(null);
		if (before != null) {
			return new Made(view(before), false);
		}
		requireInTime(sendAt);
		requireSendable(room, user, draft);
		Added added = this.messages
			.add(new ScheduledMessage(user, room, draft.clientId(), UnsentBody.json(fields, NOT_IN_BODY), sendAt,
					Instant.now().truncatedTo(ChronoUnit.MILLIS)), this.limits.scheduledPerUser())
			.orElseThrow(() -> ErrorCode.TOO_MANY_SCHEDULED.because("You have " + this.limits.scheduledPerUser()
					+ " messages that are sent later or could not be sent; cancel one first."));
		ScheduledView message = view(added.message());
		if (added.isNew()) {
			this.userEvents.send(user, new ScheduledChanged("created", message));
		}
		return new Made(message, added.isNew());
	}

	/**
	 * Changes a message that waits, or has failed and shall be sent at another time. A
	 * field that is null is removed.
	 * @throws ChatException {@code not-found}, {@code too-late} if it is being sent or
	 * was sent
	 */
	ScheduledView change(String user, long id, byte[] body) {
		this.rates.takeSignal(user);
		this.limits.requireMessageFits(body.length);
		Map<String, JsonField> changes = this.json.read(body, ErrorCode.BAD_MESSAGE);
		if (changes.containsKey("clientId") || changes.containsKey("thread")) {
			throw ErrorCode.BAD_MESSAGE.because("'clientId' and 'thread' stay the same; omit them.");
		}
		this.accounts.requireMayWrite(user);
		for (int i = 0; i < ATTEMPTS; i++) {
			ScheduledMessage current = require(user, id);
			requireNotSent(current);
			ScheduledMessage wanted = changed(current, changes);
			if (wanted.equals(current)) {
				return view(current);
			}
			AtomicBoolean changed = new AtomicBoolean();
			ScheduledMessage stored = this.messages.change(user, id, (locked) -> {
				requireNotSent(locked);
				changed.set(locked.version() == current.version());
				return changed.get() ? wanted : locked;
			}).orElseThrow(() -> notFound(id));
			if (changed.get()) {
				ScheduledView message = view(stored);
				this.userEvents.send(user, new ScheduledChanged("changed", message));
				return message;
			}
		}
		throw ErrorCode.SERVER_BUSY.because("Another device changes the same message at this moment; try again.");
	}

	/**
	 * Returns the changed message. Checked before it is locked, because that may query.
	 */
	private ScheduledMessage changed(ScheduledMessage current, Map<String, JsonField> changes) {
		Instant sendAt = sendAt(changes);
		if (sendAt != null) {
			requireInTime(sendAt);
		}
		else if (current.state() == ScheduledState.FAILED) {
			throw ErrorCode.BAD_MESSAGE.because("The message could not be sent; give a new 'sendAt'.");
		}
		Map<String, JsonField> fields = UnsentBody.merge(fields(current), withoutTime(changes));
		String body = UnsentBody.json(fields, NOT_IN_BODY);
		this.limits.requireMessageFits(body.getBytes(StandardCharsets.UTF_8).length);
		MessageDraft draft = MessageDraft.of(fields, null);
		this.access.require(RoomAction.PREPARE, current.room(), current.username());
		requireSendable(current.room(), current.username(), draft);
		return current.waiting(body, (sendAt != null) ? sendAt : current.sendAt());
	}

	/**
	 * Cancels a message. Idempotent.
	 * @throws ChatException {@code not-found}, {@code too-late} if it is being sent or
	 * was sent
	 */
	void cancel(String user, long id) {
		this.rates.takeSignal(user);
		AtomicBoolean wasCancelled = new AtomicBoolean();
		ScheduledMessage cancelled = this.messages.change(user, id, (locked) -> {
			wasCancelled.set(locked.state() == ScheduledState.CANCELLED);
			if (wasCancelled.get()) {
				return locked;
			}
			requireNotSent(locked);
			return locked.cancelled();
		}).orElseThrow(() -> notFound(id));
		if (!wasCancelled.get()) {
			this.userEvents.send(user, new ScheduledChanged("cancelled", view(cancelled)));
		}
	}

	/** Returns the message as it is posted. */
	MessageDraft draft(ScheduledMessage message) {
		return MessageDraft.of(fields(message), null);
	}

	private Map<String, JsonField> fields(ScheduledMessage message) {
		Map<String, JsonField> fields = this.json.read(message.body().getBytes(StandardCharsets.UTF_8),
				ErrorCode.BAD_MESSAGE);
		fields.put("clientId", UnsentBody.string(message.postedClientId()));
		return fields;
	}

	private static @Nullable Instant sendAt(Map<String, JsonField> fields) {
		JsonField field = fields.get("sendAt");
		if (field == null) {
			return null;
		}
		return WireTime.parse("sendAt", (field.string() != null) ? field.string() : "");
	}

	private static Map<String, JsonField> withoutTime(Map<String, JsonField> fields) {
		Map<String, JsonField> rest = new LinkedHashMap<>(fields);
		rest.remove("sendAt");
		return rest;
	}

	private void requireInTime(Instant sendAt) {
		Instant now = Instant.now();
		Duration min = this.properties.minDelay();
		Duration max = this.properties.maxDelay();
		if (sendAt.isBefore(now.plus(min)) || sendAt.isAfter(now.plus(max))) {
			throw ErrorCode.BAD_REQUEST.because("'sendAt' must be at least " + min.toSeconds() + " s and at most "
					+ max.toDays() + " days ahead; it is " + now.truncatedTo(ChronoUnit.SECONDS) + " now.");
		}
	}

	/** Requires what is not going to change, so that its author knows it at once. */
	private void requireSendable(String room, String user, MessageDraft draft) {
		this.replies.requireAnswerable(room, draft.replyTo());
		this.replies.inThread(room, draft.thread());
		this.mentions.of(room, user, draft.mentions(), null);
	}

	private static void requireNotSent(ScheduledMessage message) {
		if (message.isBeingSent()) {
			throw ErrorCode.TOO_LATE.because("The message is being sent.");
		}
		if (message.state() == ScheduledState.SENT || message.state() == ScheduledState.CANCELLED) {
			throw ErrorCode.TOO_LATE.because("The message was " + message.state().wireName() + ".");
		}
	}

	private ScheduledMessage require(String user, long id) {
		return this.messages.find(user, id).orElseThrow(() -> notFound(id));
	}

	private static ChatException notFound(long id) {
		return ErrorCode.NOT_FOUND.because("You have no message " + id + " that is sent later.");
	}

	static ScheduledView view(ScheduledMessage message) {
		String state = message.isBeingSent() ? "sending" : message.state().wireName();
		return new ScheduledView(message.id(), message.room(), message.clientId(), message.sendAt(), state,
				message.version(), message.body().isEmpty() ? null : message.body(), message.position(), message.code(),
				message.reason());
	}

}
