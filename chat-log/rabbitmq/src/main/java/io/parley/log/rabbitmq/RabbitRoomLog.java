package io.parley.log.rabbitmq;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.StreamException;
import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.SignalBus;
import io.parley.log.claim.LeasedReader;
import io.parley.log.claim.ReaderRegistry;
import io.parley.log.claim.ReaderLease;

/**
 * The room log in RabbitMQ streams.
 *
 * <p>
 * What it confirms is on a majority of the stream's nodes. It survives the end of this
 * process and of the broker; on a broker of one node a power cut can lose the last
 * moments, because nodes don't sync to the disk before they confirm. Claims hold among
 * all processes.
 *
 * <p>
 * While the broker is away, appends are refused at once and readers get nothing; both go
 * on by themselves when it is back.
 */
public final class RabbitRoomLog implements RoomLog {

	private final Environment environment;

	private final RabbitLogIdentity identity;

	private final List<RabbitPartition> partitions;

	private final RetentionAlarm alarm;

	private final ReaderRegistry endings = new ReaderRegistry();

	private final SignalStream signals;

	private final RabbitLogMonitor watch;

	private RabbitRoomLog(Environment environment, RabbitLogSettings settings) {
		this.environment = environment;
		RabbitTopology topology = RabbitTopology.of(settings);
		IdentityAgreement agreement = new IdentityAgreement(environment, topology);
		this.identity = agreement.reach();
		InFlightLimit inFlight = new InFlightLimit(settings.maxInFlight());
		long writer = ThreadLocalRandom.current().nextLong();
		this.partitions = topology.partitions()
			.stream()
			.map((stream) -> new RabbitPartition(environment, stream, settings, inFlight, writer))
			.toList();
		this.partitions.forEach(RabbitPartition::awaitEnd);
		this.alarm = new RetentionAlarm(this.partitions.size());
		this.signals = new SignalStream(environment, settings.streamPrefix() + ".signals", writer);
		this.watch = new RabbitLogMonitor(agreement, this.identity, this.partitions, this.signals, this.endings);
		this.watch.start();
	}

	/**
	 * Opens the log, or makes a new one. Tries to reach the broker for the start timeout.
	 * @throws LogUnavailableException when the broker can't be reached or used, or holds
	 * a log with another number of partitions
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
	 * Refused at once while the broker is away, when too many appends wait for their
	 * confirm, and when the partition is full of what the readers have not read, as told
	 * by {@link #trim}; unknown when no confirm comes within the confirm timeout. A
	 * record has up to 1,000 KiB.
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
	 * Of the first partition that has trouble: the broker is away or does not confirm, or
	 * the partition is full of unread records.
	 */
	@Override
	public Optional<String> trouble() {
		return this.partitions.stream().flatMap((partition) -> partition.trouble().stream()).findFirst();
	}

	/** Answered from memory; up to 5 s old. */
	@Override
	public long startOffset(int partition) {
		return this.partitions.get(partition).tail().start();
	}

	/**
	 * Answered from memory: what this process has confirmed is below it, what another one
	 * has confirmed may not be for a moment.
	 */
	@Override
	public long endOffset(int partition) {
		return this.partitions.get(partition).tail().end();
	}

	@Override
	public LogReader follow(int partition, long fromOffset) {
		return new StreamReader(this.environment, this.partitions.get(partition).stream(), partition, fromOffset,
				this.endings);
	}

	@Override
	public LogReader claim(String reader, int partition, LongSupplier fromOffset) {
		ReaderLease turn = new StreamReaderLease(this.environment, this.partitions.get(partition).stream(), reader);
		return new LeasedReader(turn, fromOffset, (offset) -> goOn(partition, offset), this.endings);
	}

	@Override
	public SignalBus signals() {
		return this.signals;
	}

	private LogReader goOn(int partition, long offset) throws InterruptedException {
		try {
			this.partitions.get(partition).requireAllBelow(offset);
		}
		catch (StreamException ex) {
			throw new LogUnavailableException("Partition " + partition + " of the log can't be read now ("
					+ ex.getMessage() + "): check RabbitMQ; the next attempt may succeed", ex);
		}
		// A reader that begins at 0 is new: it has missed nothing.
		if (offset > 0) {
			this.alarm.checkLost(partition, this.partitions.get(partition).tail().start(), offset);
		}
		return follow(partition, offset);
	}

	/**
	 * Removes nothing: the broker does, by age and size, read or not. So this tells which
	 * records are unread: appends are refused before the broker could remove them. An
	 * error is logged when they take half of the room or of the time that there is, and
	 * when records were removed before they were read.
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
		CompletableFuture<?>[] underWay = this.partitions.stream()
			.flatMap((partition) -> partition.appender().stop("The log is closed").stream())
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(underWay).exceptionally((failure) -> null).join();
		this.watch.stop();
		this.endings.end(() -> new LogClosedException("The log is closed"));
		this.environment.close();
	}

}
