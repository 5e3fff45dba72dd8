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
 * What a log keeps for life.
 *
 * <pre>
 * format 4 | partitions 4 | id 16
 * </pre>
 */
record LogIdentity(UUID id, int partitions) {

	private static final int FORMAT = 1;

	/** A file of this name in the directory asks for another identity. */
	private static final String RENEWAL = "new-epoch";

	/**
	 * The identity of the log in the store; a new log gets one, and so does a log for
	 * which somebody has asked for it with a file called {@value RENEWAL}.
	 * @throws LogUnavailableException when the log is of another shape
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
		return renewedIfAsked(store, settings, identity);
	}

	/** The file goes last: a process that ends in between renews once more. */
	private static LogIdentity renewedIfAsked(LogStore store, EmbeddedLogSettings settings, LogIdentity identity) {
		Path asked = settings.directory().resolve(RENEWAL);
		if (!Files.exists(asked)) {
			return identity;
		}
		LogIdentity renewed = create(store, identity.partitions);
		try {
			Files.delete(asked);
		}
		catch (IOException ex) {
			throw new LogUnavailableException(
					"The file " + asked + " can't be deleted (" + ex.getMessage() + "): delete it, then start again",
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
