package io.parley.log.embedded;

import java.nio.ByteBuffer;

/**
 * The keys of the store. All numbers are big-endian, so that keys sort in the order of
 * their numbers. No partition number reaches the two-byte prefixes at the top.
 *
 * <pre>
 * partition 2 | offset 8               a record
 * FFFE | partition 2 | milliseconds 8  a time mark
 * FFFF                                 the identity of the log
 * </pre>
 */
final class RecordKeys {

	static final byte[] IDENTITY = { (byte) 0xFF, (byte) 0xFF };

	private static final short MARK = (short) 0xFFFE;

	private static final int RECORD_LENGTH = Short.BYTES + Long.BYTES;

	private static final int MARK_LENGTH = 2 * Short.BYTES + Long.BYTES;

	private RecordKeys() {
	}

	static byte[] record(int partition, long offset) {
		return ByteBuffer.allocate(RECORD_LENGTH).putShort((short) partition).putLong(offset).array();
	}

	static boolean isRecord(byte[] key, int partition) {
		return key.length == RECORD_LENGTH && ByteBuffer.wrap(key).getShort() == (short) partition;
	}

	static long offset(byte[] recordKey) {
		return ByteBuffer.wrap(recordKey).getLong(Short.BYTES);
	}

	static byte[] mark(int partition, long millis) {
		return ByteBuffer.allocate(MARK_LENGTH).putShort(MARK).putShort((short) partition).putLong(millis).array();
	}

	static boolean isMark(byte[] key, int partition) {
		return key.length == MARK_LENGTH && ByteBuffer.wrap(key).getInt() == (MARK << 16 | partition);
	}

	static long millis(byte[] markKey) {
		return ByteBuffer.wrap(markKey).getLong(2 * Short.BYTES);
	}

}
