package io.parley.log.embedded;

import java.nio.ByteBuffer;
import java.util.UUID;

import io.parley.log.LogUnavailableException;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * What a log keeps for life.
 *
 * <pre>
 * format 4 | partitions 4 | id 16
 * </pre>
 */
record LogIdentity(UUID id, int partitions) {

	private static final int FORMAT = 1;

	/**
	 * The identity of the log in the store; a new log gets one.
	 * @throws LogUnavailableException when the log is of another shape
	 */
	static LogIdentity of(LogStore store, EmbeddedLogSettings settings) {
		byte[] stored = store.get(Keys.IDENTITY);
		LogIdentity identity = (stored != null) ? decode(ByteBuffer.wrap(stored), settings)
				: create(store, settings.partitions());
		if (identity.partitions != settings.partitions()) {
			throw new LogUnavailableException("The log in " + settings.directory() + " has " + identity.partitions
					+ " partitions, " + settings.partitions() + " are configured: set it back to " + identity.partitions
					+ ", or begin a new log in another directory");
		}
		return identity;
	}

	private static LogIdentity create(LogStore store, int partitions) {
		LogIdentity identity = new LogIdentity(UUID.randomUUID(), partitions);
		try (WriteBatch batch = new WriteBatch()) {
			batch.put(Keys.IDENTITY, identity.encode());
			store.write(batch);
			return identity;
		}
		catch (RocksDBException ex) {
			throw new LogUnavailableException("A new log can't be written (" + ex.getMessage() + "): check the disk",
					ex);
		}
	}

	private static LogIdentity decode(ByteBuffer stored, EmbeddedLogSettings settings) {
		int format = stored.getInt();
		if (format != FORMAT) {
			throw new LogUnavailableException("The log in " + settings.directory() + " has format " + format
					+ ", this version reads format " + FORMAT + ": use the version that wrote it");
		}
		int partitions = stored.getInt();
		return new LogIdentity(new UUID(stored.getLong(), stored.getLong()), partitions);
	}

	private byte[] encode() {
		return ByteBuffer.allocate(24)
			.putInt(FORMAT)
			.putInt(this.partitions)
			.putLong(this.id.getMostSignificantBits())
			.putLong(this.id.getLeastSignificantBits())
			.array();
	}

}
