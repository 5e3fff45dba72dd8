package io.parley.events;

import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * Record format 2, which later builds can extend.
 *
 * <pre>
 * version 1 | header length 4
 * | type code 2 | flags 2 | sentAt 8 (ms) | target 8 | thread 8
 * | room, id, sender, clientId, type name: length 2 + UTF-8 each | what later builds add
 * | facts length 4 | facts | tail
 * </pre>
 *
 * The header length covers the second and third line. The room keeps its place, whatever
 * a later format changes. Target and thread are positions, with 0 for none. Facts are for
 * servers and are not delivered. This build ignores additions to the header, and flags
 * that it does not know.
 */
final class RecordV2 {

	private static final int BYTES_BEFORE_HEADER = 1 + 4;

	static final int BYTES_BEFORE_SENT_AT = BYTES_BEFORE_HEADER + 2 + 2;

	/** The length of type code, flags, sentAt, target and thread. */
	private static final int FIXED_HEADER_BYTES = 2 + 2 + 8 + 8 + 8;

	static final int BYTES_BEFORE_ROOM = BYTES_BEFORE_HEADER + FIXED_HEADER_BYTES;

	/** The length of the database column. */
	private static final int MAX_TYPE_NAME = 32;

	private RecordV2() {
	}

	static byte[] encode(EventRecord record) {
		byte[] room = RecordFormat.utf8(record.room());
		byte[] id = RecordFormat.utf8(record.id());
		byte[] sender = RecordFormat.utf8(record.sender());
		byte[] clientId = RecordFormat.utf8((record.clientId() != null) ? record.clientId() : "");
		byte[] name = RecordFormat.utf8(record.type().wireName());
		int header = FIXED_HEADER_BYTES + 5 * 2 + room.length + id.length + sender.length + clientId.length
				+ name.length;
		ByteBuffer buffer = ByteBuffer
			.allocate(BYTES_BEFORE_HEADER + header + 4 + record.facts().length + record.tail().length);
		buffer.put((byte) 2).putInt(header);
		buffer.putShort((short) record.type().code()).putShort((short) record.flags());
		buffer.putLong(record.sentAt().toEpochMilli()).putLong(record.target()).putLong(record.thread());
		RecordFormat.put(buffer, room);
		RecordFormat.put(buffer, id);
		RecordFormat.put(buffer, sender);
		RecordFormat.put(buffer, clientId);
		RecordFormat.put(buffer, name);
		return buffer.putInt(record.facts().length).put(record.facts()).put(record.tail()).array();
	}

	/** Decodes the bytes after the version. */
	static EventRecord decode(ByteBuffer buffer) {
		int length = RecordFormat.requireRemaining(buffer, buffer.getInt());
		int end = buffer.position() + length;
		int code = Short.toUnsignedInt(buffer.getShort());
		int flags = Short.toUnsignedInt(buffer.getShort());
		Instant sentAt = Instant.ofEpochMilli(buffer.getLong());
		long target = buffer.getLong();
		long thread = buffer.getLong();
		String room = RecordFormat.string(buffer);
		String id = RecordFormat.string(buffer);
		String sender = RecordFormat.string(buffer);
		String clientId = RecordFormat.string(buffer);
		EventType type = type(buffer, code);
		if (buffer.position() > end || !RoomNames.isValid(room)) {
			throw new UnreadableEventException("The header of the record is damaged");
		}
		if (!type.isKnown() && (flags & EventRecord.STOP) != 0) {
			throw new NewerRecordException(type.wireName());
		}
		buffer.position(end);
		byte[] facts = facts(buffer);
		return new EventRecord(type, flags, room, id, sender, clientId.isEmpty() ? null : clientId, sentAt, target,
				thread, facts, RecordFormat.rest(buffer));
	}

	private static byte[] facts(ByteBuffer buffer) {
		int length = RecordFormat.requireRemaining(buffer, buffer.getInt());
		if (length == 0) {
			return EventRecord.NO_FACTS;
		}
		byte[] facts = new byte[length];
		buffer.get(facts);
		return facts;
	}

	/** Reads the type. Compares a known name without creating a string. */
	private static EventType type(ByteBuffer buffer, int code) {
		EventType known = EventType.knownOf(code);
		int start = buffer.position() + 2;
		String name = (known != null) ? known.wireName() : "";
		if (known != null && isNext(buffer, name)) {
			buffer.position(start + name.length());
			return known;
		}
		EventType type = new EventType(code, RecordFormat.string(buffer));
		if (known != null || EventType.ofWireName(type.wireName()).isKnown() || !isName(type.wireName())) {
			throw new UnreadableEventException("The name of type code " + code + " is damaged");
		}
		return type;
	}

	private static boolean isNext(ByteBuffer buffer, String name) {
		int start = buffer.position();
		if (buffer.remaining() < 2 + name.length() || buffer.getShort(start) != name.length()) {
			return false;
		}
		for (int i = 0; i < name.length(); i++) {
			if (buffer.get(start + 2 + i) != name.charAt(i)) {
				return false;
			}
		}
		return true;
	}

	/** Returns whether the name is valid; it is written to JSON unescaped. */
	private static boolean isName(String name) {
		for (int i = 0; i < name.length(); i++) {
			char c = name.charAt(i);
			if (!(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-')) {
				return false;
			}
		}
		return !name.isEmpty() && name.length() <= MAX_TYPE_NAME;
	}

}
