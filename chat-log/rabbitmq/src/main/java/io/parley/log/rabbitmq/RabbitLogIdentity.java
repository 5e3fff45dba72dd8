package io.parley.log.rabbitmq;

import java.nio.ByteBuffer;
import java.util.UUID;

import io.parley.log.LogUnavailableException;

/**
 * The identity of a log. The newest record in the identity stream applies:
 *
 * <pre>
 * format 1 | number 8 | ready 1 | partitions 4 | id 16
 * </pre>
 *
 * @param number of the record, from 1
 * @param ready false while the streams of this identity are being declared
 */
record RabbitLogIdentity(long number, boolean ready, int partitions, UUID id) {

	private static final byte FORMAT = 1;

	private static final int BYTES = 1 + Long.BYTES + 1 + Integer.BYTES + 2 * Long.BYTES;

	static RabbitLogIdentity first(int partitions) {
		return new RabbitLogIdentity(1, false, partitions, UUID.randomUUID());
	}

	/** Returns this identity, marked as ready: its streams exist. */
	RabbitLogIdentity asReady() {
		return new RabbitLogIdentity(this.number + 1, true, this.partitions, this.id);
	}

	/**
	 * Returns the identity of a new log, which begins when a stream was lost or has lost
	 * records.
	 */
	RabbitLogIdentity successor() {
		return new RabbitLogIdentity(this.number + 1, false, this.partitions, UUID.randomUUID());
	}

	static RabbitLogIdentity decode(byte[] record) {
		ByteBuffer bytes = ByteBuffer.wrap(record);
		if (record.length != BYTES || bytes.get() != FORMAT) {
			throw new LogUnavailableException("The identity stream holds something that this version can't read:"
					+ " use the version that wrote it, or begin a new log with another stream prefix");
		}
		long number = bytes.getLong();
		boolean ready = bytes.get() != 0;
		int partitions = bytes.getInt();
		return new RabbitLogIdentity(number, ready, partitions, new UUID(bytes.getLong(), bytes.getLong()));
	}

	byte[] encode() {
		return ByteBuffer.allocate(BYTES)
			.put(FORMAT)
			.putLong(this.number)
			.put((byte) (this.ready ? 1 : 0))
			.putInt(this.partitions)
			.putLong(this.id.getMostSignificantBits())
			.putLong(this.id.getLeastSignificantBits())
			.array();
	}

}
