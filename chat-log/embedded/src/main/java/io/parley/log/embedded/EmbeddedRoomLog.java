package io.parley.log.embedded;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.parley.log.AppendRefusedException;
import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.SignalBus;
import io.parley.log.claim.LeasedReader;
import io.parley.log.claim.ReaderRegistry;
import org.rocksdb.RocksDBException;

/**
 * The room log in this JVM, in a directory of the local disk.
 *
 * <p>
 * A confirmed record is synced to the disk: it survives the end of the process and a
 * power failure, provided that the disk honours the sync. Offsets begin at 0 and have no
 * gaps. Claims are exclusive within this JVM, which is sufficient, because a directory
 * belongs to one process.
 */
public final class EmbeddedRoomLog implements RoomLog {

	private static final int MAX_RECORD_BYTES = 4 * 1024 * 1024;

	private final DirectoryLock lock;

	private final LogStore store;

	private final LogIdentity identity;

	private final RecordStore records;

	private final List<EmbeddedPartitionState> states;

	private final EmbeddedRetention retention;

	private final LeaseQueue leases = new LeaseQueue();

	private final ReaderRegistry readers = new ReaderRegistry();

	private final AppendQueue queue = new AppendQueue();

	private final DiskReserve reserve;

	private final LogWriter writer;

	private final Thread writerThread;

	private EmbeddedRoomLog(DirectoryLock lock, LogStore store, EmbeddedLogSettings settings, InstantSource clock) {
		this.lock = lock;
		this.store = store;
		this.identity = LogIdentity.of(store, settings);
		this.records = new RecordStore(store);
		this.states = IntStream.range(0, settings.partitions()).mapToObj(this::state).toList();
		this.retention = new EmbeddedRetention(store, this.records, settings.retention(), clock);
		this.reserve = new DiskReserve(lock.directory(), settings.minFreeBytes());
		this.writer = new LogWriter(this.queue, this.reserve, store, this.states);
		this.writerThread = Thread.ofPlatform().name("room-log-writer").daemon().start(this.writer);
	}

	/**
	 * Opens the log in a directory, or creates a new one.
	 * @throws LogUnavailableException if the directory can't be used, is in use, is
	 * damaged, or holds a log with another number of partitions
	 */
	public static EmbeddedRoomLog open(EmbeddedLogSettings settings) {
		return open(settings, InstantSource.system());
	}

	static EmbeddedRoomLog open(EmbeddedLogSettings settings, InstantSource clock) {
		DirectoryLock lock = DirectoryLock.acquire(settings.directory());
		try {
			NativeLibrary.load(lock.directory().resolve("native"));
			return open(lock, LogStore.open(lock.directory().resolve("records")), settings, clock);
		}
		catch (RuntimeException | Error ex) {
			lock.close();
			throw ex;
		}
	}

	private static EmbeddedRoomLog open(DirectoryLock lock, LogStore store, EmbeddedLogSettings settings,
			InstantSource clock) {
		try {
			return new EmbeddedRoomLog(lock, store, settings, clock);
		}
		catch (RuntimeException | Error ex) {
			store.close();
			throw ex;
		}
	}

	private EmbeddedPartitionState state(int partition) {
		return new EmbeddedPartitionState(this.records.start(partition), this.records.end(partition));
	}

	@Override
	public String id() {
		return this.identity.id().toString();
	}

	@Override
	public int partitions() {
		return this.states.size();
	}

	/**
	 * Appends a record of up to 4 MiB. Refuses it when too many appends wait for the
	 * disk, when the disk is almost full, or after the disk has failed.
	 */
	@Override
	public CompletableFuture<Long> append(int partition, byte[] record) {
		Objects.checkIndex(partition, this.states.size());
		if (record.length == 0 || record.length > MAX_RECORD_BYTES) {
			throw new IllegalArgumentException(
					"A record has 1 to " + MAX_RECORD_BYTES + " bytes, not " + record.length);
		}
		EmbeddedPendingAppend append = new EmbeddedPendingAppend(partition, record);
		String reason = this.queue.offer(append);
		return (reason != null) ? CompletableFuture.failedFuture(new AppendRefusedException(reason)) : append.confirm();
	}

	/**
	 * Returns why appends would be refused now. Queries the free space of the file
	 * system.
	 */
	@Override
	public Optional<String> unavailableReason() {
		String reason = this.queue.unavailableReason();
		return Optional.ofNullable((reason != null) ? reason : this.reserve.shortage());
	}

	@Override
	public long startOffset(int partition) {
		return this.states.get(partition).start();
	}

	@Override
	public long endOffset(int partition) {
		return this.states.get(partition).end();
	}

	@Override
	public LogReader follow(int partition, long fromOffset) {
		return new EmbeddedPartitionReader(partition, this.states.get(partition), this.records, fromOffset);
	}

	@Override
	public LogReader claim(String reader, int partition, LongSupplier fromOffset) {
		Objects.checkIndex(partition, this.states.size());
		LeaseQueue.Place place = this.leases.enter(reader, partition);
		return new LeasedReader(place, fromOffset, (offset) -> follow(partition, offset), this.readers);
	}

	@Override
	public void requireReaches(int partition, long offset) {
		long end = endOffset(partition);
		if (end < offset) {
			throw new LogUnavailableException("The log in " + this.lock.directory() + " is older than the database:"
					+ " partition " + partition + " ends at offset " + end + ", but the database has stored it up to "
					+ offset
					+ ". Restore the log that belongs to the database; or, to continue without the missing records, run"
					+ " \"./chat restore --new-epoch\" and start again");
		}
	}

	@Override
	public SignalBus signals() {
		return SignalBus.ALONE;
	}

	@Override
	public void trim(int partition, long belowOffset) {
		this.retention.trim(partition, this.states.get(partition), belowOffset);
	}

	@Override
	public void close() {
		this.queue.refuse("The log is closed");
		join();
		this.readers.end(() -> new LogClosedException("The log is closed"));
		this.states.forEach(EmbeddedPartitionState::close);
		this.store.close();
		this.lock.close();
	}

	private void join() {
		boolean interrupted = false;
		while (true) {
			try {
				this.writerThread.join();
				break;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Copies the log while it is being written. The copy has every record that was
	 * confirmed before the call. On the same disk most files are links, not copies.
	 * @param directory must not exist, but its parent must. It becomes {@code records} in
	 * the directory of a log
	 * @throws LogUnavailableException if the copy can't be written
	 */
	public void copyTo(Path directory) {
		try {
			this.store.copyTo(directory);
		}
		catch (RocksDBException ex) {
			throw new LogUnavailableException(
					"The log can't be copied to " + directory + " (" + ex.getMessage() + "): check the disk", ex);
		}
	}

	/** Returns how often the disk was synced for appends. */
	long batches() {
		return this.writer.batches();
	}

}
