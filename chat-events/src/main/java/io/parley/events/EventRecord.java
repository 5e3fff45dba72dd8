package io.parley.events;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A {@link RoomEvent} as it lies in the log: a small binary header and the finished tail
 * of its JSON. The tail is made once, where the event was accepted; whoever delivers the
 * event puts type, room, position and prev in front and never parses JSON.
 *
 * <pre>
 * version 1 | type 1 | sentAt 8 (ms) | room, id, sender, clientId: length 2 + UTF-8 each | tail
 * </pre>
 *
 * A missing clientId is empty. All numbers are big-endian.
 *
 * @param clientId null for events that are not messages
 * @param tail UTF-8 JSON from the first field after prev to the closing brace; not to be
 * changed
 */
public record EventRecord(EventType type, String room, String id, String sender, @Nullable String clientId,
		Instant sentAt, byte[] tail) {

	/**
	 * Fields that only the server writes; a client's own fields may not have these names.
	 */
	public static final Set<String> RESERVED_FIELDS = Set.of("type", "room", "position", "prev", "number", "id",
			"sender", "clientId", "sentAt", "text");

	private static final byte VERSION = 1;

	private static final int FIXED_BYTES = 1 + 1 + 8 + 4 * 2;

	private static final int MAX_STRING_BYTES = 0xffff;

	public static EventRecord of(RoomEvent event) {
		String clientId = (event instanceof MessagePosted message) ? message.clientId() : null;
		return new EventRecord(event.type(), event.room(), event.id(), event.sender(), clientId, event.sentAt(),
				EventJson.tail(event));
	}

	/** The event with all its fields, parsed from the tail. */
	public RoomEvent event() {
		return EventJson.parse(this);
	}

	/**
	 * The bytes for the log.
	 * @throws IllegalArgumentException when a field of the header is longer than its
	 * length can say
	 */
	public byte[] encode() {
		byte[][] strings = { utf8(this.room), utf8(this.id), utf8(this.sender),
				utf8((this.clientId != null) ? this.clientId : "") };
		int length = FIXED_BYTES + this.tail.length;
		for (byte[] string : strings) {
			if (string.length > MAX_STRING_BYTES) {
				throw new IllegalArgumentException(
						"A field of the header has " + string.length + " bytes; at most " + MAX_STRING_BYTES + " fit");
			}
			length += string.length;
		}
		ByteBuffer buffer = ByteBuffer.allocate(length);
		buffer.put(VERSION).put(this.type.code()).putLong(this.sentAt.toEpochMilli());
		for (byte[] string : strings) {
			buffer.putShort((short) string.length).put(string);
		}
		return buffer.put(this.tail).array();
	}

	/**
	 * Reads the bytes from the log.
	 * @throws UnreadableEventException when they are not a record of a known version
	 */
	public static EventRecord decode(byte[] bytes) {
		try {
			ByteBuffer buffer = ByteBuffer.wrap(bytes);
			byte version = buffer.get();
			if (version != VERSION) {
				throw new UnreadableEventException("Unknown record version " + version);
			}
			EventType type = EventType.ofCode(buffer.get());
			Instant sentAt = Instant.ofEpochMilli(buffer.getLong());
			String room = string(buffer);
			String id = string(buffer);
			String sender = string(buffer);
			String clientId = string(buffer);
			byte[] tail = new byte[buffer.remaining()];
			buffer.get(tail);
			return new EventRecord(type, room, id, sender, clientId.isEmpty() ? null : clientId, sentAt, tail);
		}
		catch (java.nio.BufferUnderflowException ex) {
			throw new UnreadableEventException("Record of " + bytes.length + " bytes is cut short", ex);
		}
	}

	/**
	 * When the event of a record was sent, without reading the rest; null when the bytes
	 * are not a record of a known version.
	 */
	public static @Nullable Instant sentAt(byte[] bytes) {
		return (bytes.length >= FIXED_BYTES && bytes[0] == VERSION)
				? Instant.ofEpochMilli(ByteBuffer.wrap(bytes).getLong(2)) : null;
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
		byte[] head = utf8("{\"type\":\"" + this.type.wireName() + "\",\"room\":\"" + this.room + places);
		byte[] json = new byte[head.length + this.tail.length];
		System.arraycopy(head, 0, json, 0, head.length);
		System.arraycopy(this.tail, 0, json, head.length, this.tail.length);
		return json;
	}

	private static byte[] utf8(String string) {
		return string.getBytes(StandardCharsets.UTF_8);
	}

	private static String string(ByteBuffer buffer) {
		byte[] bytes = new byte[Short.toUnsignedInt(buffer.getShort())];
		buffer.get(bytes);
		return new String(bytes, StandardCharsets.UTF_8);
	}

}
