package io.parley.events;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The formats in which an {@link EventRecord} is stored in the log. Every build reads all
 * of them, permanently. The store holds the agreed format for writing, so that no process
 * writes records that others cannot read yet.
 */
public enum RecordFormat {

	/** Supports only the types of the first release. */
	V1 {

		@Override
		byte[] encode(EventRecord record) {
			return RecordV1.encode(record);
		}

	},

	/**
	 * Supports any type: the record itself states how a build that does not know the type
	 * must treat it.
	 */
	V2 {

		@Override
		byte[] encode(EventRecord record) {
			return RecordV2.encode(record);
		}

	};

	/** The newest format that this build knows. */
	public static final RecordFormat NEWEST = V2;

	private static final int MAX_STRING_BYTES = 0xffff;

	/** Returns the version, which is the first byte of each record. */
	public int version() {
		return ordinal() + 1;
	}

	abstract byte[] encode(EventRecord record);

	/**
	 * Returns the format with this version.
	 * @throws IllegalArgumentException if this build does not know it
	 */
	public static RecordFormat ofVersion(int version) {
		if (version < 1 || version > NEWEST.version()) {
			throw new IllegalArgumentException("There is no record format " + version + " in this build");
		}
		return values()[version - 1];
	}

	/**
	 * Encodes a header field as UTF-8.
	 * @throws IllegalArgumentException if it is too long for its length prefix
	 */
	static byte[] utf8(String string) {
		byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
		if (bytes.length > MAX_STRING_BYTES) {
			throw new IllegalArgumentException(
					"A header field has " + bytes.length + " bytes; the limit is " + MAX_STRING_BYTES);
		}
		return bytes;
	}

	static void put(ByteBuffer buffer, byte[] string) {
		buffer.putShort((short) string.length).put(string);
	}

	static String string(ByteBuffer buffer) {
		int length = Short.toUnsignedInt(buffer.getShort());
		int start = buffer.position();
		buffer.position(Math.addExact(start, requireRemaining(buffer, length)));
		return new String(buffer.array(), start, length, StandardCharsets.UTF_8);
	}

	/** Returns the remaining bytes, which are the tail. */
	static byte[] rest(ByteBuffer buffer) {
		byte[] rest = new byte[buffer.remaining()];
		buffer.get(rest);
		return rest;
	}

	/**
	 * Returns the length if that many bytes remain.
	 * @throws java.nio.BufferUnderflowException if fewer bytes remain
	 */
	static int requireRemaining(ByteBuffer buffer, int length) {
		if (length < 0 || length > buffer.remaining()) {
			throw new java.nio.BufferUnderflowException();
		}
		return length;
	}

}
