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
 * What it confirms is synced to the disk: it survives the end of the process and a power
 * cut, as far as the disk keeps its word. Offsets begin at 0 and have no holes. Claims
 * hold within this JVM, which is enough, because a directory belongs to one process.
 */
public final class EmbeddedRoomLog implements RoomLog {

	private static final int MAX_RECORD_BYTES = 4 * 1024 * 1024;

	private final DirectoryLock lock;

	private final LogStore store;

	private final LogIdentity identity;

	private final RecordStore records;

	private final List<EmbeddedPartitionState> tails;

	private final EmbeddedRetention retention;

	private final LeaseQueue claims = new LeaseQueue();

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
		this.tails = IntStream.range(0, settings.partitions()).mapToObj(this::tail).toList();
		this.retention = new EmbeddedRetention(store, this.records, settings.retention(), clock);
		this.reserve = new DiskReserve(lock.directory(), settings.minFreeBytes());
		this.writer = new LogWriter(this.queue, this.reserve, store, this.tails);
		this.writerThread = Thread.ofPlatform().name("room-log-writer").daemon().start(this.writer);
	}

	/**
	 * Opens the log in a directory, or makes a new one.
	 * @throws LogUnavailableException when the directory can't be used, is in use, is
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

	private EmbeddedPartitionState tail(int partition) {
		return new EmbeddedPartitionState(this.records.start(partition), this.records.end(partition));
	}

	@Override
	public String id() {
		return this.identity.id().toString();
	}

	@Override
	public int partitions() {
		return this.tails.size();
	}

	/**
	 * Refused at once when too many appends wait for the disk, when the disk is almost
	 * full, or after the disk has failed; a record has up to 4 MiB.
	 */
	@Override
	public CompletableFuture<Long> append(int partition, byte[] record) {
		Objects.checkIndex(partition, this.tails.size());
		if (record.length == 0 || record.length > MAX_RECORD_BYTES) {
			throw new IllegalArgumentException(
					"A record has 1 to " + MAX_RECORD_BYTES + " bytes, not " + record.length);
		}
		EmbeddedPendingAppend append = new EmbeddedPendingAppend(partition, record);
		String refusal = this.queue.offer(append);
		return (refusal == null) ? append.confirm()
				: CompletableFuture.failedFuture(new AppendRefusedException(refusal));
	}

	/** Asks the file system for its free space. */
	@Override
	public Optional<String> trouble() {
		String refusal = this.queue.trouble();
		return Optional.ofNullable((refusal != null) ? refusal : this.reserve.lack());
	}

	@Override
	public long startOffset(int partition) {
		return this.tails.get(partition).start();
	}

	@Override
	public long endOffset(int partition) {
		return this.tails.get(partition).end();
	}

	@Override
	public LogReader follow(int partition, long fromOffset) {
		return new EmbeddedPartitionReader(partition, this.tails.get(partition), this.records, fromOffset);
	}

	@Override
	public LogReader claim(String reader, int partition, LongSupplier fromOffset) {
		Objects.checkIndex(partition, this.tails.size());
		LeaseQueue.Place place = this.claims.enter(reader, partition);
		return new LeasedReader(place, fromOffset, (offset) -> follow(partition, offset), this.readers);
	}

	@Override
	public void requireReaches(int partition, long offset) {
		long end = endOffset(partition);
		if (end < offset) {
			throw new LogUnavailableException("The log in " + this.lock.directory() + " is older than the database:"
					+ " partition " + partition + " ends at offset " + end + ", but the database has stored it up to "
					+ offset + ". Restore the log that belongs to the database; or, to go on with what there is, run"
					+ " \"./chat restore --new-epoch\" and start again");
		}
	}

	@Override
	public SignalBus signals() {
		return SignalBus.ALONE;
	}

	@Override
	public void trim(int partition, long belowOffset) {
		this.retention.trim(partition, this.tails.get(partition), belowOffset);
	}

	@Override
	public void close() {
		this.queue.refuse("The log is closed");
		join();
		this.readers.end(() -> new LogClosedException("The log is closed"));
		this.tails.forEach(EmbeddedPartitionState::close);
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
	 * Copies the log while it is written: with every record that was confirmed before the
	 * call. On the same disk most files are links, not copies.
	 * @param directory must not exist; its parent must. It becomes {@code records} in the
	 * directory of a log
	 * @throws LogUnavailableException when the copy can't be written
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

	/** How often the disk was synced for appends. */
	long batches() {
		return this.writer.batches();
	}

}
