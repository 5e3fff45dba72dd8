package io.parley.log.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import io.parley.log.LogUnavailableException;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The properties of a log that never change, except by a renewal of its id.
 *
 * <pre>
 * format 4 | partitions 4 | id 16
 * </pre>
 */
record LogIdentity(UUID id, int partitions) {

	private static final int FORMAT = 1;

	/** A file with this name in the directory requests a new identity. */
	private static final String RENEWAL = "new-epoch";

	/**
	 * Returns the identity of the log in the store. A new log gets a new identity, and so
	 * does a log whose directory has a file named {@value RENEWAL}.
	 * @throws LogUnavailableException if the log has another format or number of
	 * partitions
	 */
	static LogIdentity of(LogStore store, EmbeddedLogSettings settings) {
		byte[] stored = store.get(RecordKeys.IDENTITY);
		LogIdentity identity = (stored != null) ? decode(ByteBuffer.wrap(stored), settings)
				: create(store, settings.partitions());
		if (identity.partitions != settings.partitions()) {
			throw new LogUnavailableException("The log in " + settings.directory() + " has " + identity.partitions
					+ " partitions, " + settings.partitions() + " are configured: set it back to " + identity.partitions
					+ ", or begin a new log in another directory");
		}
		return renewedIfRequested(store, settings, identity);
	}

	/**
	 * Renews the identity if the file requests it. The file is deleted last: if the
	 * process ends before that, the identity is renewed once more.
	 */
	private static LogIdentity renewedIfRequested(LogStore store, EmbeddedLogSettings settings, LogIdentity identity) {
		Path request = settings.directory().resolve(RENEWAL);
		if (!Files.exists(request)) {
			return identity;
		}
		LogIdentity renewed = create(store, identity.partitions);
		try {
			Files.delete(request);
		}
		catch (IOException ex) {
			throw new LogUnavailableException(
					"The file " + request + " can't be deleted (" + ex.getMessage() + "): delete it, then start again",
					ex);
		}
		return renewed;
	}

	private static LogIdentity create(LogStore store, int partitions) {
		LogIdentity identity = new LogIdentity(UUID.randomUUID(), partitions);
		try (WriteBatch batch = new WriteBatch()) {
			batch.put(RecordKeys.IDENTITY, identity.encode());
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
