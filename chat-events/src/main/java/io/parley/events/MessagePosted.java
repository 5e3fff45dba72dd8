package io.parley.events;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A message was posted: {@code message.posted}, or {@code thread.posted} if it is a reply
 * in a thread. The latter is stored in record format 2 only.
 *
 * @param clientId the sender's own id of the message; a retry with the same id is the
 * same message
 * @param text empty if the message is deleted
 * @param extra the client's own fields in their order: names and JSON values. The values
 * are written unchanged and must be valid JSON; no name may be one of
 * {@link EventRecord#RESERVED_FIELDS}
 * @param deleted whether this is what is left of a deleted message
 * @param replyTo the position of the message that this one answers, or 0
 * @param inThread the thread of a reply; null for a message of the room
 * @param mentions whom the message mentions; null if the sender does not say, so that
 * names in the text count
 */
public record MessagePosted(String room, String id, String sender, String clientId, Instant sentAt, String text,
		Map<String, String> extra, boolean deleted, long replyTo, @Nullable InThread inThread,
		@Nullable Mentions mentions) implements RoomEvent {

	public MessagePosted {
		extra = Collections.unmodifiableMap(new LinkedHashMap<>(extra));
	}

	/** Creates a message of the room that is not deleted and answers no other. */
	public MessagePosted(String room, String id, String sender, String clientId, Instant sentAt, String text,
			Map<String, String> extra) {
		this(room, id, sender, clientId, sentAt, text, extra, false, Positions.NONE, null);
	}

	/** Creates a message that does not say whom it mentions. */
	public MessagePosted(String room, String id, String sender, String clientId, Instant sentAt, String text,
			Map<String, String> extra, boolean deleted, long replyTo, @Nullable InThread inThread) {
		this(room, id, sender, clientId, sentAt, text, extra, deleted, replyTo, inThread, null);
	}

	/**
	 * The thread of a reply.
	 *
	 * @param root the position of the message that was replied to first
	 * @param author the author of the root; empty if the reply was read from the store
	 */
	public record InThread(long root, String author) {
	}

	@Override
	public EventType type() {
		return (this.inThread != null) ? EventType.THREAD_POSTED : EventType.MESSAGE_POSTED;
	}

	@Override
	public long thread() {
		return (this.inThread != null) ? this.inThread.root() : Positions.NONE;
	}

	MessagePosted withContent(String newText, @Nullable Mentions newMentions) {
		return new MessagePosted(this.room, this.id, this.sender, this.clientId, this.sentAt, newText, this.extra,
				false, this.replyTo, this.inThread, newMentions);
	}

	/** Returns what is left of the message when it is deleted. */
	static MessagePosted deleted(EventRecord message) {
		InThread inThread = message.type().isReply() ? new InThread(message.thread(), "") : null;
		return new MessagePosted(message.room(), message.id(), message.sender(),
				(message.clientId() != null) ? message.clientId() : "", message.sentAt(), "", Map.of(), true,
				Positions.NONE, inThread);
	}

}
