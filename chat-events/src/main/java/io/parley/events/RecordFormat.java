package io.parley.events;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The formats in which an {@link EventRecord} can lie in the log. Every build reads all
 * of them, for ever. Which one is written is agreed on in the store, so that nobody
 * writes what others cannot read yet.
 */
public enum RecordFormat {

	/** Only the types that the first release knew. */
	V1 {

		@Override
		byte[] encode(EventRecord record) {
			return RecordV1.encode(record);
		}

	},

	/** Any type: the record itself says what is to be done by who does not know it. */
	V2 {

		@Override
		byte[] encode(EventRecord record) {
			return RecordV2.encode(record);
		}

	};

	/** The newest one that this build knows. */
	public static final RecordFormat NEWEST = V2;

	private static final int MAX_STRING_BYTES = 0xffff;

	/** The first byte of each record. */
	public int version() {
		return ordinal() + 1;
	}

	abstract byte[] encode(EventRecord record);

	/**
	 * The format of a version.
	 * @throws IllegalArgumentException when this build does not know it
	 */
	public static RecordFormat ofVersion(int version) {
		if (version < 1 || version > NEWEST.version()) {
			throw new IllegalArgumentException("There is no record format " + version + " in this build");
		}
		return values()[version - 1];
	}

	/**
	 * A field of the header.
	 * @throws IllegalArgumentException when it is longer than its length can say
	 */
	static byte[] utf8(String string) {
		byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
		if (bytes.length > MAX_STRING_BYTES) {
			throw new IllegalArgumentException(
					"A field of the header has " + bytes.length + " bytes; at most " + MAX_STRING_BYTES + " fit");
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

	/** What is left is the tail. */
	static byte[] rest(ByteBuffer buffer) {
		byte[] rest = new byte[buffer.remaining()];
		buffer.get(rest);
		return rest;
	}

	/**
	 * The length itself.
	 * @throws java.nio.BufferUnderflowException when so much is not left
	 */
	static int requireRemaining(ByteBuffer buffer, int length) {
		if (length < 0 || length > buffer.remaining()) {
			throw new java.nio.BufferUnderflowException();
		}
		return length;
	}

}
