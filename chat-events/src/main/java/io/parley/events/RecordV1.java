package io.parley.events;

import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * Record format 1.
 *
 * <pre>
 * version 1 | type 1 | sentAt 8 (ms) | room, id, sender, clientId: length 2 + UTF-8 each | tail
 * </pre>
 *
 * A missing clientId is stored as an empty string. All numbers are big-endian. No new
 * types are added to this format.
 */
final class RecordV1 {

	static final int BYTES_BEFORE_SENT_AT = 1 + 1;

	/** The length of version, type and sentAt. */
	static final int BYTES_BEFORE_ROOM = 1 + 1 + 8;

	private RecordV1() {
	}

	static byte[] encode(EventRecord record) {
		if (!record.type().isIn(RecordFormat.V1)) {
			throw new IllegalArgumentException("Format 1 has no type '" + record.type().wireName() + "'");
		}
		byte[] room = RecordFormat.utf8(record.room());
		byte[] id = RecordFormat.utf8(record.id());
		byte[] sender = RecordFormat.utf8(record.sender());
		byte[] clientId = RecordFormat.utf8((record.clientId() != null) ? record.clientId() : "");
		ByteBuffer buffer = ByteBuffer.allocate(BYTES_BEFORE_ROOM + 4 * 2 + room.length + id.length + sender.length
				+ clientId.length + record.tail().length);
		buffer.put((byte) 1).put((byte) record.type().code()).putLong(record.sentAt().toEpochMilli());
		RecordFormat.put(buffer, room);
		RecordFormat.put(buffer, id);
		RecordFormat.put(buffer, sender);
		RecordFormat.put(buffer, clientId);
		return buffer.put(record.tail()).array();
	}

	/** Decodes the bytes after the version. */
	static EventRecord decode(ByteBuffer buffer) {
		byte code = buffer.get();
		EventType type = EventType.knownOf(code);
		if (type == null || !type.isIn(RecordFormat.V1)) {
			throw new UnreadableEventException("Unknown event type code " + code);
		}
		Instant sentAt = Instant.ofEpochMilli(buffer.getLong());
		String room = RecordFormat.string(buffer);
		String id = RecordFormat.string(buffer);
		String sender = RecordFormat.string(buffer);
		String clientId = RecordFormat.string(buffer);
		return new EventRecord(type, type.flags(), room, id, sender, clientId.isEmpty() ? null : clientId, sentAt,
				RecordFormat.rest(buffer));
	}

}
