package io.parley.log.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

import io.parley.log.LogClosedException;
import io.parley.log.LogUnavailableException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * RocksDB behind a read-write lock: native memory is accessed only between open and
 * close, whichever thread closes the store.
 */
final class LogStore implements AutoCloseable {

	private final ReadWriteLock gate = new ReentrantReadWriteLock();

	private final Path directory;

	private final StoreOptions options;

	private final RocksDB db;

	private boolean closed;

	private LogStore(Path directory, StoreOptions options, RocksDB db) {
		this.directory = directory;
		this.options = options;
		this.db = db;
	}

	/**
	 * Opens the store with everything that was ever synced to it.
	 * @throws LogUnavailableException if it is damaged or can't be opened
	 */
	static LogStore open(Path directory) {
		StoreOptions options = new StoreOptions();
		try {
			Files.createDirectories(directory);
			return new LogStore(directory, options, RocksDB.open(options.options(), directory.toString()));
		}
		catch (IOException | RocksDBException ex) {
			options.close();
			throw new LogUnavailableException("The log in " + directory + " can't be opened (" + ex.getMessage()
					+ "): if the disk is healthy, restore a backup, or move the directory away to begin a new log", ex);
		}
	}

	/** Writes a batch and returns once it is on the disk. */
	void write(WriteBatch batch) throws RocksDBException {
		enter();
		try {
			this.db.write(this.options.synced(), batch);
		}
		finally {
			leave();
		}
	}

	byte @Nullable [] get(byte[] key) {
		enter();
		try {
			return this.db.get(key);
		}
		catch (RocksDBException ex) {
			throw unreadable(ex);
		}
		finally {
			leave();
		}
	}

	/**
	 * Reads with an iterator that exists only for this call: a kept iterator would pin
	 * memory and files.
	 */
	<T extends @Nullable Object> T scan(Function<RocksIterator, T> read) {
		enter();
		try (RocksIterator iterator = this.db.newIterator()) {
			T result = read.apply(iterator);
			iterator.status();
			return result;
		}
		catch (RocksDBException ex) {
			throw unreadable(ex);
		}
		finally {
			leave();
		}
	}

	/**
	 * Reclaims the disk space of a deleted range: whole files at once, the rest by
	 * compacting the files that overlap it. Returns when this is done; writes continue
	 * meanwhile.
	 */
	void reclaim(byte[] from, byte[] below) throws RocksDBException {
		enter();
		try (CompactRangeOptions options = new CompactRangeOptions().setExclusiveManualCompaction(false)) {
			ColumnFamilyHandle all = this.db.getDefaultColumnFamily();
			this.db.deleteFilesInRanges(all, List.of(from, below), false);
			this.db.compactRange(all, from, below, options);
		}
		finally {
			leave();
		}
	}

	/** Copies everything that is written; on the same disk the files are links. */
	void copyTo(Path directory) throws RocksDBException {
		enter();
		try (Checkpoint checkpoint = Checkpoint.create(this.db)) {
			checkpoint.createCheckpoint(directory.toString());
		}
		finally {
			leave();
		}
	}

	@Override
	public void close() {
		this.gate.writeLock().lock();
		try {
			if (!this.closed) {
				this.closed = true;
				this.db.close();
				this.options.close();
			}
		}
		finally {
			this.gate.writeLock().unlock();
		}
	}

	private void enter() {
		this.gate.readLock().lock();
		if (this.closed) {
			leave();
			throw new LogClosedException("The log in " + this.directory + " is closed");
		}
	}

	private void leave() {
		this.gate.readLock().unlock();
	}

	private LogUnavailableException unreadable(RocksDBException ex) {
		return new LogUnavailableException(
				"The log in " + this.directory + " can't be read (" + ex.getMessage() + "): check the disk", ex);
	}

}
