package io.parley.server.message;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.UUID;

import io.parley.events.EventType;
import io.parley.events.Mentions;
import io.parley.events.MessageDeleted;
import io.parley.events.MessageEdited;
import io.parley.events.MessagePosted;
import io.parley.events.MessageState;
import io.parley.server.database.Database;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.MessageLookup;
import io.parley.server.timeline.MessageViews;
import io.parley.server.timeline.RecentMessages.Place;
import io.parley.server.timeline.RoomWriter;
import io.parley.store.event.RoomEventRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Decides whether a user may edit or delete a message, and creates the event. A change
 * that crosses another one on its way to the log is decided by the fold
 * ({@link io.parley.events.MessageState}).
 */
@Component
class MessageChanges {

	/**
	 * Bounds the events between two messages, over which {@link MessageViews} must read.
	 */
	private static final int MAX_EDITS = 100;

	private final RoomWriter writer;

	private final RoomAccess access;

	private final MessageLookup messages;

	private final MessageViews views;

	private final MessageMentions mentions;

	private final Database database;

	private final RoomEventRepository stored;

	private final Duration editWindow;

	MessageChanges(RoomWriter writer, RoomAccess access, MessageLookup messages, MessageViews views,
			MessageMentions mentions, Database database, RoomEventRepository stored, MessageProperties properties) {
		this.writer = writer;
		this.access = access;
		this.messages = messages;
		this.views = views;
		this.mentions = mentions;
		this.database = database;
		this.stored = stored;
		this.editWindow = properties.editWindow();
	}

	/**
	 * Returns the stored event to which the sender gave that id, or null. A late retry
	 * must not come live after newer changes.
	 */
	@Nullable Place stored(String room, String sender, String clientId) {
		return this.database.query(() -> this.stored.byClientId(room, sender, clientId))
			.map((event) -> new Place(event.position(), event.record().id(), event.record().type()))
			.orElse(null);
	}

	/**
	 * Creates the event of an edit.
	 * @throws ChatException if the sender may not edit the message
	 */
	MessageEdited edit(String room, String sender, ChangeDraft draft) {
		requireFormat(EventType.MESSAGE_EDITED);
		MessagePosted message = message(room, draft.target());
		if (!message.sender().equals(sender)) {
			throw ErrorCode.NOT_ALLOWED.because("Only the author may edit a message.");
		}
		requireNotDeleted(message);
		Instant now = now();
		if (this.editWindow.isPositive() && now.isAfter(message.sentAt().plus(this.editWindow))) {
			throw ErrorCode.TOO_LATE.because("A message can be edited for " + this.editWindow + " only.");
		}
		MessageState state = this.views.state(room, draft.target());
		if (state.edits() >= MAX_EDITS) {
			throw ErrorCode.TOO_LATE.because("A message can be edited " + MAX_EDITS + " times only.");
		}
		Mentions before = (state.edits() > 0) ? state.mentions() : message.mentions();
		Mentions after = (draft.mentions() != null) ? this.mentions.of(room, sender, draft.mentions(), before) : before;
		return new MessageEdited(room, UUID.randomUUID().toString(), sender, draft.clientId(), now, draft.target(),
				Objects.requireNonNull(draft.content()), message.thread(), after,
				Objects.equals(before, after) ? null : Objects.requireNonNullElse(before, Mentions.NONE));
	}

	/**
	 * Creates the event of a deletion.
	 * @throws ChatException if the sender may not delete the message
	 */
	MessageDeleted delete(String room, String sender, ChangeDraft draft) {
		requireFormat(EventType.MESSAGE_DELETED);
		MessagePosted message = message(room, draft.target());
		boolean author = message.sender().equals(sender);
		this.access.require(author ? RoomAction.POST : RoomAction.DELETE_MESSAGE, room, sender);
		requireNotDeleted(message);
		return new MessageDeleted(room, UUID.randomUUID().toString(), sender, draft.clientId(), now(), draft.target(),
				author ? "author" : "moderator", draft.content(), message.thread());
	}

	/**
	 * Returns a message that can be changed.
	 * @param type of the event of the change
	 * @throws ChatException if it is deleted, or there is none
	 */
	MessagePosted requireChangeable(EventType type, String room, long target) {
		requireFormat(type);
		MessagePosted message = message(room, target);
		requireNotDeleted(message);
		return message;
	}

	/**
	 * Requires that events of that type can be appended.
	 * @throws ChatException if they cannot
	 */
	void requireFormat(EventType type) {
		if (!this.writer.canAppend(type)) {
			throw ErrorCode.NOT_ALLOWED.because("This is not possible on this server yet: an operator must raise "
					+ "the record format (./chat record-format 2).");
		}
	}

	/**
	 * Returns the message at a position.
	 * @throws ChatException if there is none
	 */
	MessagePosted message(String room, long position) {
		return this.messages.require(room, position);
	}

	static void requireNotDeleted(MessagePosted message) {
		if (message.deleted()) {
			throw ErrorCode.MESSAGE_DELETED.because("The message is deleted.");
		}
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

}
