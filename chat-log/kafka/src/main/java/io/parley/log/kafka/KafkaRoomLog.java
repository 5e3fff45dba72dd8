package io.parley.log.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.parley.log.LogReader;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.SignalBus;
import io.parley.log.claim.LeasedReader;
import io.parley.log.claim.ReaderLease;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * The room log in Kafka.
 *
 * <p>
 * A confirmed record is on a majority of the brokers that keep the partition. It survives
 * the end of this process and of the brokers. With a single broker a power failure can
 * lose the most recent records, because brokers don't sync to the disk before they
 * confirm. Claims are exclusive among all processes. Only {@link #trim} removes records,
 * never before they were read.
 *
 * <p>
 * While the brokers are unavailable, appends are refused and readers get nothing; both
 * resume automatically when the brokers are back.
 */
public final class KafkaRoomLog implements RoomLog {

	private static final int MAX_RECORD_BYTES = 1000 * 1024;

	private static final Duration RECHECK_DELAY = Duration.ofSeconds(1);

	private final Clients clients;

	private final Admin admin;

	private final KafkaTopology topology;

	private final Topic topic;

	private final String id;

	private final List<KafkaPartitionState> states;

	private final KafkaAppender appender;

	private final KafkaRetention retention;

	private final KafkaReaders readers = new KafkaReaders();

	private final SignalTopic signals;

	private final KafkaLogMonitor monitor;

	/**
	 * Opens the log. Leaves nothing open if it fails; the caller closes the admin client.
	 */
	KafkaRoomLog(Clients clients, Admin admin, KafkaLogSettings settings) {
		this.clients = clients;
		this.admin = admin;
		this.topology = KafkaTopology.of(settings);
		this.topic = new Topic(admin, this.topology);
		this.topic.declare();
		this.id = this.topic.state().id();
		this.states = Stream.generate(KafkaPartitionState::new).limit(settings.partitions()).toList();
		for (int partition = 0; partition < this.states.size(); partition++) {
			this.states.get(partition).startAt(this.topic.start(partition));
			this.states.get(partition).endAt(this.topic.end(partition));
		}
		this.retention = new KafkaRetention(settings, this.topic, this.states);
		this.appender = new KafkaAppender(() -> clients.producer(settings.topic()), settings, this.states);
		this.signals = new SignalTopic(clients, admin, this.topology.signals(), this.readers);
		this.monitor = monitor(settings);
		this.monitor.start();
	}

	/**
	 * Creates the monitor. Closes the appender if this fails; the other parts hold
	 * nothing open yet.
	 */
	private KafkaLogMonitor monitor(KafkaLogSettings settings) {
		try {
			return new KafkaLogMonitor(this.topic, new LossNotices(this.clients, this.topic, this.topology), this.id,
					settings.where(), this.states, this.appender, this.readers);
		}
		catch (RuntimeException | Error ex) {
			this.appender.close();
			throw ex;
		}
	}

	/**
	 * Opens the log, or creates a new one. Tries to reach the brokers until the start
	 * timeout has elapsed.
	 * @throws LogUnavailableException if they can't be reached or used, or hold a log
	 * with another number of partitions
	 */
	public static KafkaRoomLog open(KafkaLogSettings settings) {
		Clients clients = new Clients(settings);
		return new KafkaStartup(settings).untilItSucceeds(() -> {
			Admin admin = clients.admin();
			try {
				return new KafkaRoomLog(clients, admin, settings);
			}
			catch (RuntimeException | Error ex) {
				admin.close(Duration.ZERO);
				throw ex;
			}
		});
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	public int partitions() {
		return this.states.size();
	}

	/**
	 * Appends a record of up to 1,000 KiB. Refuses it while the brokers are known to be
	 * unavailable, when too many appends wait for confirmation, and when the memory for
	 * appends is full. The outcome is unknown if no confirmation arrives within the
	 * confirm timeout.
	 */
	@Override
	public CompletableFuture<Long> append(int partition, byte[] record) {
		if (record.length == 0 || record.length > MAX_RECORD_BYTES) {
			throw new IllegalArgumentException(
					"A record has 1 to " + MAX_RECORD_BYTES + " bytes, not " + record.length);
		}
		return this.appender.append(partition, record);
	}

	/**
	 * Returns why appends to at least one partition would be refused now, as one
	 * sentence, or empty. Answered from memory; at most a few seconds old.
	 */
	@Override
	public Optional<String> unavailableReason() {
		return this.states.stream()
			.flatMap((state) -> Stream.ofNullable(this.appender.unavailableReason(state)))
			.findFirst();
	}

	/** Returns the start offset from memory; about 1 s old. */
	@Override
	public long startOffset(int partition) {
		return this.states.get(partition).start();
	}

	/**
	 * Returns the end offset from memory. Records that this process has confirmed or read
	 * are below it; records that another process has confirmed may be missing for about 1
	 * s.
	 */
	@Override
	public long endOffset(int partition) {
		return this.states.get(partition).end();
	}

	@Override
	public LogReader follow(int partition, long fromOffset) {
		return new KafkaPartitionReader(this.clients, this.topic.partition(partition), fromOffset,
				this.states.get(partition), this.readers);
	}

	@Override
	public LogReader claim(String reader, int partition, LongSupplier fromOffset) {
		Objects.checkIndex(partition, partitions());
		ReaderLease lease = new KafkaReaderLease(this.clients, this.topology.leases().name(),
				this.topic.name() + "." + reader + "." + partition, this.readers);
		return new LeasedReader(lease, fromOffset, (offset) -> resume(partition, offset), this.readers.registry());
	}

	@Override
	public SignalBus signals() {
		return this.signals;
	}

	private LogReader resume(int partition, long offset) throws InterruptedException {
		try {
			requireAllBelow(partition, offset);
		}
		catch (KafkaException ex) {
			throw new LogUnavailableException("Partition " + partition + " of the log can't be read now ("
					+ ex.getMessage() + "): check Kafka; the next attempt may succeed", ex);
		}
		this.retention.checkLost(partition, offset);
		return follow(partition, offset);
	}

	/**
	 * Checks that the partition reaches an offset below which a reader has committed
	 * everything. It does not if the last records were lost in a power failure: new
	 * records would then reuse their offsets, and the reader would skip them.
	 */
	private void requireAllBelow(int partition, long offset) throws InterruptedException {
		KafkaPartitionState state = this.states.get(partition);
		if (offset <= state.end() || offset <= this.topic.end(partition)) {
			return;
		}
		Thread.sleep(RECHECK_DELAY);
		long end = this.topic.end(partition);
		if (offset > end) {
			state.markTruncated();
			throw new LogUnavailableException("Partition " + partition + " of the log ends at " + end
					+ ", but a reader has read up to " + offset + ": records were lost, a new log must begin");
		}
	}

	/**
	 * Removes records that are older than the retention or exceed the size limit of the
	 * partition, if every reader has read them. Logs an error if the partition is too
	 * large because a reader has not read it.
	 */
	@Override
	public void trim(int partition, long belowOffset) {
		this.retention.trim(partition, belowOffset);
	}

	/**
	 * Returns how many records were gone before a reader had read them, as found by the
	 * claims of this process. Any value above 0 is an alarm.
	 */
	@Override
	public long removedUnread() {
		return this.retention.lost();
	}

	/**
	 * Returns how many partitions are too large because of unread records, as of the last
	 * trim.
	 */
	@Override
	public long partitionsAtRisk() {
		return this.retention.risks();
	}

	@Override
	public void close() {
		this.appender.close();
		this.monitor.stop();
		this.readers.close();
		this.admin.close(Duration.ZERO);
	}

}
