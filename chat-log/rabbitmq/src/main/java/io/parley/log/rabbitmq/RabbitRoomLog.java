package io.parley.log.rabbitmq;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.StreamException;
import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.SignalBus;
import io.parley.log.claim.LeasedReader;
import io.parley.log.claim.ReaderLease;
import io.parley.log.claim.ReaderRegistry;

/**
 * The room log in RabbitMQ streams.
 *
 * <p>
 * A confirmed record is on a majority of the stream's nodes. It survives the end of this
 * process and of the broker. With a broker of one node a power failure can lose the most
 * recent records, because nodes don't sync to the disk before they confirm. Claims are
 * exclusive among all processes.
 *
 * <p>
 * While the broker is unavailable, appends are refused at once and readers get nothing;
 * both resume automatically when it is back.
 */
public final class RabbitRoomLog implements RoomLog {

	private final Environment environment;

	private final RabbitLogIdentity identity;

	private final List<RabbitPartition> partitions;

	private final RetentionAlarm alarm;

	private final ReaderRegistry registry = new ReaderRegistry();

	private final SignalStream signals;

	private final RabbitLogMonitor monitor;

	private RabbitRoomLog(Environment environment, RabbitLogSettings settings) {
		this.environment = environment;
		RabbitTopology topology = RabbitTopology.of(settings);
		IdentityAgreement agreement = new IdentityAgreement(environment, topology);
		this.identity = agreement.reach();
		InFlightLimit inFlight = new InFlightLimit(settings.maxInFlight());
		long writer = ThreadLocalRandom.current().nextLong();
		List<String> streams = topology.partitions();
		this.partitions = IntStream.range(0, streams.size())
			.mapToObj((partition) -> new RabbitPartition(environment, streams.get(partition), partition, settings,
					inFlight, writer))
			.toList();
		this.partitions.forEach(RabbitPartition::awaitEnd);
		this.alarm = new RetentionAlarm(this.partitions.size());
		this.signals = new SignalStream(environment, settings.streamPrefix() + ".signals", writer);
		this.monitor = new RabbitLogMonitor(agreement, this.identity, this.partitions, this.signals, this.registry);
		this.monitor.start();
	}

	/**
	 * Opens the log, or creates a new one. Tries to reach the broker until the start
	 * timeout has elapsed.
	 * @throws LogUnavailableException if the broker can't be reached or used, or holds a
	 * log with another number of partitions
	 */
	public static RabbitRoomLog open(RabbitLogSettings settings) {
		return new RabbitStartup(settings).untilItSucceeds(() -> {
			Environment environment = Broker.connect(settings);
			try {
				return new RabbitRoomLog(environment, settings);
			}
			catch (RuntimeException | Error ex) {
				environment.close();
				throw ex;
			}
		});
	}

	@Override
	public String id() {
		return this.identity.id().toString();
	}

	@Override
	public int partitions() {
		return this.partitions.size();
	}

	/**
	 * Appends a record of up to 1,000 KiB. Refuses it at once while the broker is
	 * unavailable, when too many appends wait for confirmation, and when the partition is
	 * full of unread records, as reported to {@link #trim}. The outcome is unknown if no
	 * confirmation arrives within the confirm timeout.
	 */
	@Override
	public CompletableFuture<Long> append(int partition, byte[] record) {
		if (record.length == 0 || record.length > Envelope.MAX_RECORD_BYTES) {
			throw new IllegalArgumentException(
					"A record has 1 to " + Envelope.MAX_RECORD_BYTES + " bytes, not " + record.length);
		}
		return this.partitions.get(partition).append(record);
	}

	/**
	 * Returns the reason of the first affected partition: the broker is unavailable or
	 * does not confirm, or the partition is full of unread records.
	 */
	@Override
	public Optional<String> unavailableReason() {
		return this.partitions.stream().flatMap((partition) -> partition.unavailableReason().stream()).findFirst();
	}

	/** Returns the start offset from memory; up to 5 s old. */
	@Override
	public long startOffset(int partition) {
		return this.partitions.get(partition).state().start();
	}

	/**
	 * Returns the end offset from memory. Records that this process has confirmed are
	 * below it; records that another process has confirmed may be missing for a moment.
	 */
	@Override
	public long endOffset(int partition) {
		return this.partitions.get(partition).state().end();
	}

	@Override
	public LogReader follow(int partition, long fromOffset) {
		RabbitPartition followed = this.partitions.get(partition);
		return new StreamReader(this.environment, followed.stream(), partition, fromOffset, followed.tailReaders(),
				this.registry);
	}

	@Override
	public LogReader claim(String reader, int partition, LongSupplier fromOffset) {
		ReaderLease lease = new StreamReaderLease(this.environment, this.partitions.get(partition).stream(), reader);
		return new LeasedReader(lease, fromOffset, (offset) -> resume(partition, offset), this.registry);
	}

	@Override
	public SignalBus signals() {
		return this.signals;
	}

	private LogReader resume(int partition, long offset) throws InterruptedException {
		try {
			this.partitions.get(partition).requireAllBelow(offset);
		}
		catch (StreamException ex) {
			throw new LogUnavailableException("Partition " + partition + " of the log can't be read now ("
					+ ex.getMessage() + "): check RabbitMQ; the next attempt may succeed", ex);
		}
		// A reader that begins at 0 is new and has missed nothing.
		if (offset > 0) {
			this.alarm.checkLost(partition, this.partitions.get(partition).state().start(), offset);
		}
		return follow(partition, offset);
	}

	/**
	 * Updates which records are unread, but removes nothing: the broker removes records
	 * by age and size, read or not, and appends are refused before it could remove unread
	 * ones. Logs an error when unread records take half of the available space or time,
	 * and when records were removed before they were read.
	 */
	@Override
	public void trim(int partition, long belowOffset) {
		RabbitPartition trimmed = this.partitions.get(partition);
		trimmed.readTo(belowOffset);
		this.alarm.check(partition, trimmed, belowOffset);
	}

	@Override
	public long removedUnread() {
		return this.alarm.lost();
	}

	@Override
	public long partitionsAtRisk() {
		return this.alarm.risks();
	}

	@Override
	public void close() {
		CompletableFuture<?>[] unconfirmed = this.partitions.stream()
			.flatMap((partition) -> partition.appender().stop("The log is closed").stream())
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(unconfirmed).exceptionally((failure) -> null).join();
		this.monitor.stop();
		this.registry.end(() -> new LogClosedException("The log is closed"));
		this.environment.close();
	}

}
