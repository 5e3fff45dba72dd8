package io.parley.events;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * An event as stored in the log: a small binary header and the finished tail of its JSON.
 * The tail is written once, where the event is accepted. Delivery puts type, room,
 * position and prev in front of it and never parses JSON. An event of a later build,
 * whose type this build does not know, is therefore delivered and stored like any other.
 *
 * @param flags how a build that does not know the type must treat the event:
 * {@link #COUNTS} and the other flags
 * @param clientId null for events without an id from the client
 * @param target the position of the event that this one changes, or 0
 * @param thread the root of the thread to which the event belongs, or 0
 * @param facts what is for servers only and not delivered; must not be modified
 * @param tail UTF-8 JSON from the first field after prev to the closing brace; must not
 * be modified
 */
public record EventRecord(EventType type, int flags, String room, String id, String sender, @Nullable String clientId,
		Instant sentAt, long target, long thread, byte[] facts, byte[] tail) {

	/** In the tail of each event that says whom it mentions. */
	private static final byte[] MENTIONS = "\"mentions\":{".getBytes(StandardCharsets.UTF_8);

	/** The facts of an event without any. */
	static final byte[] NO_FACTS = {};

	/** Flag: the event takes the next number of its room and counts as unread. */
	public static final int COUNTS = 1;

	/** Flag: the event counts in its thread. */
	public static final int COUNTS_IN_THREAD = 1 << 1;

	/** Flag: the event changes an earlier one. */
	public static final int CHANGES = 1 << 2;

	/** Flag: a reader that does not know the type must not skip the event. */
	public static final int STOP = 1 << 3;

	/** Fields reserved for later versions; a client may send them only as null. */
	public static final Set<String> FIELDS_OF_LATER_VERSIONS = Set.of("replyTo", "thread", "mentions", "attachments",
			"format", "target", "changed", "edited", "deleted", "superseded", "reactions", "pinned");

	/**
	 * Fields with a meaning in this or a later version. A client's own fields must not
	 * use these names.
	 */
	public static final Set<String> RESERVED_FIELDS = Stream
		.concat(FIELDS_OF_LATER_VERSIONS.stream(),
				Stream.of("type", "room", "position", "prev", "number", "id", "sender", "clientId", "sentAt", "text"))
		.collect(Collectors.toUnmodifiableSet());

	/** Creates a record with the default flags of its type. */
	public EventRecord(EventType type, String room, String id, String sender, @Nullable String clientId, Instant sentAt,
			byte[] tail) {
		this(type, type.flags(), room, id, sender, clientId, sentAt, tail);
	}

	/** Creates a record without a target. */
	public EventRecord(EventType type, int flags, String room, String id, String sender, @Nullable String clientId,
			Instant sentAt, byte[] tail) {
		this(type, flags, room, id, sender, clientId, sentAt, Positions.NONE, tail);
	}

	/** Creates a record without facts. */
	public EventRecord(EventType type, int flags, String room, String id, String sender, @Nullable String clientId,
			Instant sentAt, long target, long thread, byte[] tail) {
		this(type, flags, room, id, sender, clientId, sentAt, target, thread, NO_FACTS, tail);
	}

	/** Creates a record without a thread and without facts. */
	public EventRecord(EventType type, int flags, String room, String id, String sender, @Nullable String clientId,
			Instant sentAt, long target, byte[] tail) {
		this(type, flags, room, id, sender, clientId, sentAt, target, Positions.NONE, NO_FACTS, tail);
	}

	public static EventRecord of(RoomEvent event) {
		return new EventRecord(event.type(), event.type().flags(), event.room(), event.id(), event.sender(),
				event.clientId(), event.sentAt(), event.target(), event.thread(), ServerFacts.of(event),
				TailWriter.tail(event));
	}

	/** Returns what is left of a deleted message. */
	public EventRecord deleted() {
		return of(MessagePosted.deleted(this));
	}

	/** Returns the message or the edit with another text and other mentions. */
	public EventRecord withContent(String text, @Nullable Mentions mentions) {
		return of(this.type.isMessage() ? ((MessagePosted) event()).withContent(text, mentions)
				: new MessageEdited(this.room, this.id, this.sender, (this.clientId != null) ? this.clientId : "",
						this.sentAt, this.target, text, this.thread, mentions, null));
	}

	/**
	 * Returns what is left of a change that has no effect any more: it has no content and
	 * no longer {@link #changes} anything.
	 */
	public EventRecord superseded() {
		return new EventRecord(this.type, this.flags & ~CHANGES, this.room, this.id, this.sender, this.clientId,
				this.sentAt, this.target, this.thread, NO_FACTS, TailWriter.superseded(this));
	}

	/**
	 * Returns whether the event takes the next number of its room and counts as unread.
	 */
	public boolean counts() {
		return (this.flags & COUNTS) != 0;
	}

	/** Returns whether the event takes the next number of its thread. */
	public boolean countsInThread() {
		return (this.flags & COUNTS_IN_THREAD) != 0 && this.thread != Positions.NONE;
	}

	/**
	 * Returns whether the event deletes the message at its target. A superseded deletion
	 * does not, because it changes nothing.
	 */
	public boolean deletesMessage() {
		return changes() && this.type.equals(EventType.MESSAGE_DELETED);
	}

	/** Returns whether the event deletes a reply of its thread. */
	public boolean deletesReply() {
		return deletesMessage() && this.thread != Positions.NONE;
	}

	/**
	 * Returns the author of the root of the thread, as far as the event was read from the
	 * log; null if unknown.
	 */
	public @Nullable String threadAuthor() {
		return (countsInThread() && this.facts.length > 0) ? new String(this.facts, StandardCharsets.UTF_8) : null;
	}

	/** Returns whether the event changes the message at its target. */
	public boolean changes() {
		return (this.flags & CHANGES) != 0 && this.type.changesMessage();
	}

	/**
	 * Returns whether {@link #mentions} may return something, without parsing the event.
	 */
	public boolean mayMention() {
		return (this.type.isMessage() || this.type.equals(EventType.MESSAGE_EDITED)) && contains(this.tail, MENTIONS);
	}

	/**
	 * Returns whom the message, or the edit, mentions; null if it does not say. Parses
	 * only events that say it, so that other messages cost nothing.
	 */
	public @Nullable Mentions mentions() {
		if (!mayMention()) {
			return null;
		}
		try {
			return switch (event()) {
				case MessagePosted message -> message.mentions();
				case MessageEdited edit -> edit.mentions();
				default -> null;
			};
		}
		catch (UnreadableEventException ex) {
			return null;
		}
	}

	/**
	 * Returns the users whom the message, or the edit, mentions by name or by a group.
	 */
	public List<String> mentionedUsers() {
		Mentions mentions = mentions();
		return (mentions != null) ? mentions.users() : List.of();
	}

	/**
	 * Returns whom the message mentioned before this edit, as far as the event was read
	 * from the log; null if this is not an edit that changes the mentions.
	 */
	public @Nullable Mentions mentionedBefore() {
		try {
			return (this.type.equals(EventType.MESSAGE_EDITED) && this.facts.length > 0)
					? ServerFacts.mentionedBefore(this.facts) : null;
		}
		catch (UnreadableEventException ex) {
			return null;
		}
	}

	private static boolean contains(byte[] bytes, byte[] part) {
		for (int from = 0; from <= bytes.length - part.length; from++) {
			if (bytes[from] == part[0] && Arrays.equals(bytes, from, from + part.length, part, 0, part.length)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the changes of reactions in their order; none if this is not such an event,
	 * or cannot be read.
	 */
	public List<Reaction.Change> reactionChanges() {
		try {
			return (changes() && this.type.equals(EventType.REACTION_CHANGED)) ? ServerFacts.reactionChanges(this.facts)
					: List.of();
		}
		catch (UnreadableEventException ex) {
			return List.of();
		}
	}

	/**
	 * Returns the event with all its fields, parsed from the tail.
	 * @throws UnreadableEventException if this build does not know the type, or if the
	 * tail does not match the type
	 */
	public RoomEvent event() {
		return TailParser.parse(this);
	}

	/**
	 * Encodes the record for the log in the format that every build can read.
	 * @throws IllegalArgumentException if a header field is too long for its length
	 * prefix, or the format does not have the type
	 */
	public byte[] encode() {
		return encode(RecordFormat.V1);
	}

	/**
	 * Encodes the record for the log.
	 * @throws IllegalArgumentException if a header field is too long for its length
	 * prefix, or the format does not have the type
	 */
	public byte[] encode(RecordFormat format) {
		return format.encode(this);
	}

	/**
	 * Decodes a record from the log.
	 * @throws UnreadableEventException if the bytes are not a record of a known format
	 * @throws NewerRecordException if only a newer build may read the record
	 */
	public static EventRecord decode(byte[] bytes) {
		try {
			ByteBuffer buffer = ByteBuffer.wrap(bytes);
			byte version = buffer.get();
			return switch (version) {
				case 1 -> RecordV1.decode(buffer);
				case 2 -> RecordV2.decode(buffer);
				default -> throw new UnreadableEventException("Unknown record version " + version);
			};
		}
		catch (BufferUnderflowException ex) {
			throw new UnreadableEventException("Record of " + bytes.length + " bytes is truncated", ex);
		}
	}

	/**
	 * Returns when the event of an encoded record was sent, without decoding the rest.
	 * Returns null if the bytes are not a record of a known format.
	 */
	public static @Nullable Instant sentAt(byte[] bytes) {
		int index = switch ((bytes.length > 0) ? bytes[0] : 0) {
			case 1 -> RecordV1.BYTES_BEFORE_SENT_AT;
			case 2 -> RecordV2.BYTES_BEFORE_SENT_AT;
			default -> bytes.length;
		};
		return (bytes.length >= index + Long.BYTES) ? Instant.ofEpochMilli(ByteBuffer.wrap(bytes).getLong(index))
				: null;
	}

	/**
	 * Returns the room of a record that is {@linkplain UnreadableEventException not
	 * readable}, including records of a later format. Returns null if the bytes do not
	 * contain a valid room.
	 */
	public static @Nullable String roomOf(byte[] bytes) {
		try {
			ByteBuffer buffer = ByteBuffer.wrap(bytes);
			buffer.position((buffer.get() == 1) ? RecordV1.BYTES_BEFORE_ROOM : RecordV2.BYTES_BEFORE_ROOM);
			String room = RecordFormat.string(buffer);
			return RoomNames.isValid(room) ? room : null;
		}
		catch (BufferUnderflowException | IllegalArgumentException ex) {
			return null;
		}
	}

	/** Returns the JSON of an event that has no position yet, as UTF-8. */
	public byte[] json() {
		return json("\",");
	}

	/** Returns the JSON sent to clients, as UTF-8. */
	public byte[] json(long position, long prev) {
		return json("\",\"position\":" + position + ",\"prev\":" + prev + ",");
	}

	/** Returns the JSON of a stored message, which also has its number in the room. */
	public byte[] json(long position, long prev, long number) {
		return json("\",\"position\":" + position + ",\"prev\":" + prev + ",\"number\":" + number + ",");
	}

	/**
	 * Returns the JSON of a message in its current state.
	 * @param number null if unknown
	 * @param reactions the reactions as the receiver sees them
	 */
	public byte[] json(long position, long prev, @Nullable Long number, MessageState state,
			Map<String, ReactionView> reactions) {
		return json("\",\"position\":" + position + ",\"prev\":" + prev
				+ ((number != null) ? ",\"number\":" + number : "") + ",\"changed\":" + state.changed()
				+ ((state.edits() > 0 && !state.deleted()) ? ",\"edited\":true" : "")
				+ (state.pin().on() ? ",\"pinned\":true" : "")
				+ (reactions.isEmpty() ? "" : ",\"reactions\":" + StateJson.reactions(reactions))
				+ ((state.thread().number() > 0) ? ",\"thread\":" + StateJson.thread(state.thread()) + "," : ","));
	}

	private byte[] json(String positionFields) {
		byte[] head = ("{\"type\":\"" + this.type.wireName() + "\",\"room\":\"" + this.room + positionFields)
			.getBytes(StandardCharsets.UTF_8);
		byte[] json = new byte[head.length + this.tail.length];
		System.arraycopy(head, 0, json, 0, head.length);
		System.arraycopy(this.tail, 0, json, head.length, this.tail.length);
		return json;
	}

}
