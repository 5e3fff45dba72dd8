package io.parley.log.rabbitmq;

import java.nio.ByteBuffer;
import java.util.Arrays;

import com.rabbitmq.stream.Message;
import org.jspecify.annotations.Nullable;

/**
 * A record as stored in a stream, in the only data section of a message:
 *
 * <pre>
 * format 1 | writer 8 | sequence 8 | record
 * </pre>
 *
 * A confirmation does not contain the offset, so the writer recognises its records by
 * these numbers. The writer is a random number, which each process generates anew.
 */
final class Envelope {

	/**
	 * A record and its overhead must fit into a frame, which the broker limits to 1 MiB.
	 */
	static final int MAX_RECORD_BYTES = 1000 * 1024;

	private static final byte FORMAT = 1;

	private static final int HEADER_BYTES = 1 + 2 * Long.BYTES;

	private final ByteBuffer bytes;

	private Envelope(ByteBuffer bytes) {
		this.bytes = bytes;
	}

	static byte[] wrap(long writer, long sequence, byte[] data) {
		return ByteBuffer.allocate(HEADER_BYTES + data.length)
			.put(FORMAT)
			.putLong(writer)
			.putLong(sequence)
			.put(data)
			.array();
	}

	/** Returns the envelope of a message, or null if the message is not from a log. */
	static @Nullable Envelope of(Message message) {
		byte[] body;
		try {
			body = message.getBodyAsBinary();
		}
		catch (RuntimeException ex) {
			return null;
		}
		boolean record = body != null && body.length > HEADER_BYTES && body[0] == FORMAT;
		return record ? new Envelope(ByteBuffer.wrap(body)) : null;
	}

	long writer() {
		return this.bytes.getLong(1);
	}

	long sequence() {
		return this.bytes.getLong(1 + Long.BYTES);
	}

	/** Returns the size in bytes. */
	int size() {
		return this.bytes.capacity();
	}

	byte[] data() {
		return Arrays.copyOfRange(this.bytes.array(), HEADER_BYTES, this.bytes.capacity());
	}

}
