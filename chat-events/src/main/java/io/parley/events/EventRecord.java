package io.parley.events;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * An event as it lies in the log: a small binary header and the finished tail of its
 * JSON. The tail is made once, where the event was accepted; whoever delivers the event
 * puts type, room, position and prev in front and never parses JSON. So an event of a
 * later build, whose type this one does not know, is delivered and stored like any other.
 *
 * @param flags what is to be done by who does not know the type: {@link #COUNTS} and the
 * others
 * @param clientId null for events that no client has named
 * @param tail UTF-8 JSON from the first field after prev to the closing brace; not to be
 * changed
 */
public record EventRecord(EventType type, int flags, String room, String id, String sender, @Nullable String clientId,
		Instant sentAt, byte[] tail) {

	/** Flag: the event takes the next number of its room and counts as unread. */
	public static final int COUNTS = 1;

	/** Flag: the event counts in its thread. */
	public static final int COUNTS_IN_THREAD = 1 << 1;

	/** Flag: the event changes an earlier one. */
	public static final int CHANGES = 1 << 2;

	/** Flag: nobody may pass over it who does not know the type. */
	public static final int STOP = 1 << 3;

	/** Fields that have no meaning yet; a client may send them as null only. */
	public static final Set<String> FIELDS_OF_LATER_VERSIONS = Set.of("replyTo", "thread", "mentions", "attachments",
			"format", "target", "changed");

	/**
	 * Fields that have a meaning, now or in a later version; a client's own fields may
	 * not have these names.
	 */
	public static final Set<String> RESERVED_FIELDS = Stream
		.concat(FIELDS_OF_LATER_VERSIONS.stream(),
				Stream.of("type", "room", "position", "prev", "number", "id", "sender", "clientId", "sentAt", "text"))
		.collect(Collectors.toUnmodifiableSet());

	/** With the flags of its type. */
	public EventRecord(EventType type, String room, String id, String sender, @Nullable String clientId, Instant sentAt,
			byte[] tail) {
		this(type, type.flags(), room, id, sender, clientId, sentAt, tail);
	}

	public static EventRecord of(RoomEvent event) {
		String clientId = (event instanceof MessagePosted message) ? message.clientId() : null;
		return new EventRecord(event.type(), event.room(), event.id(), event.sender(), clientId, event.sentAt(),
				EventJson.tail(event));
	}

	/** Whether it takes the next number of its room and counts as unread. */
	public boolean counts() {
		return (this.flags & COUNTS) != 0;
	}

	/**
	 * The event with all its fields, parsed from the tail.
	 * @throws UnreadableEventException when this build does not know its type, or the
	 * tail is not of that type
	 */
	public RoomEvent event() {
		return EventJson.parse(this);
	}

	/**
	 * The bytes for the log, as every build can read them.
	 * @throws IllegalArgumentException when a field of the header is longer than its
	 * length can say
	 */
	public byte[] encode() {
		return encode(RecordFormat.V1);
	}

	/**
	 * The bytes for the log.
	 * @throws IllegalArgumentException when a field of the header is longer than its
	 * length can say, or the format does not have the type
	 */
	public byte[] encode(RecordFormat format) {
		return format.encode(this);
	}

	/**
	 * Reads the bytes from the log.
	 * @throws UnreadableEventException when they are not a record of a known format
	 * @throws NewerRecordException when only a newer build may read them
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
			throw new UnreadableEventException("Record of " + bytes.length + " bytes is cut short", ex);
		}
	}

	/**
	 * When the event of a record was sent, without reading the rest; null when the bytes
	 * are not a record of a known format.
	 */
	public static @Nullable Instant sentAt(byte[] bytes) {
		int place = switch ((bytes.length > 0) ? bytes[0] : 0) {
			case 1 -> RecordV1.BYTES_BEFORE_SENT_AT;
			case 2 -> RecordV2.BYTES_BEFORE_SENT_AT;
			default -> bytes.length;
		};
		return (bytes.length >= place + Long.BYTES) ? Instant.ofEpochMilli(ByteBuffer.wrap(bytes).getLong(place))
				: null;
	}

	/**
	 * The room of a record that is {@linkplain UnreadableEventException not readable},
	 * also of a later format; null when its bytes do not say.
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

	/** The JSON that clients get, as UTF-8. */
	public byte[] json(long position, long prev) {
		return json("\",\"position\":" + position + ",\"prev\":" + prev + ",");
	}

	/** The JSON of a stored message, which also has its number in the room. */
	public byte[] json(long position, long prev, long number) {
		return json("\",\"position\":" + position + ",\"prev\":" + prev + ",\"number\":" + number + ",");
	}

	private byte[] json(String places) {
		byte[] head = ("{\"type\":\"" + this.type.wireName() + "\",\"room\":\"" + this.room + places)
			.getBytes(StandardCharsets.UTF_8);
		byte[] json = new byte[head.length + this.tail.length];
		System.arraycopy(head, 0, json, 0, head.length);
		System.arraycopy(this.tail, 0, json, head.length, this.tail.length);
		return json;
	}

}
