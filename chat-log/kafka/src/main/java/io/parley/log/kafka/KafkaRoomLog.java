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
 * What it confirms is on a majority of the brokers that keep the partition. It survives
 * the end of this process and of the brokers; on one broker a power cut can lose the last
 * moments, because brokers don't sync to the disk before they confirm. Claims hold among
 * all processes. Records are removed by {@link #trim} alone, never before they were read.
 *
 * <p>
 * While the brokers are away, appends are refused and readers get nothing; both go on by
 * themselves when they are back.
 */
public final class KafkaRoomLog implements RoomLog {

	private static final int MAX_RECORD_BYTES = 1000 * 1024;

	private static final Duration SECOND_LOOK = Duration.ofSeconds(1);

	private final Clients clients;

	private final Admin admin;

	private final KafkaTopology topology;

	private final Topic topic;

	private final String id;

	private final List<KafkaPartitionState> tails;

	private final KafkaAppender appender;

	private final KafkaRetention retention;

	private final KafkaReaders readers = new KafkaReaders();

	private final SignalTopic signals;

	private final KafkaLogMonitor watch;

	/** Leaves nothing open when it fails; the admin client is the caller's. */
	KafkaRoomLog(Clients clients, Admin admin, KafkaLogSettings settings) {
		this.clients = clients;
		this.admin = admin;
		this.topology = KafkaTopology.of(settings);
		this.topic = new Topic(admin, this.topology);
		this.topic.declare();
		this.id = this.topic.state().id();
		this.tails = Stream.generate(KafkaPartitionState::new).limit(settings.partitions()).toList();
		for (int partition = 0; partition < this.tails.size(); partition++) {
			this.tails.get(partition).startAt(this.topic.start(partition));
			this.tails.get(partition).endAt(this.topic.end(partition));
		}
		this.retention = new KafkaRetention(settings, this.topic, this.tails);
		this.appender = new KafkaAppender(() -> clients.producer(settings.topic()), settings, this.tails);
		this.signals = new SignalTopic(clients, admin, this.topology.signals(), this.readers);
		this.watch = watch(settings);
		this.watch.start();
	}

	/** Closes the appender when it fails: the other parts hold nothing open yet. */
	private KafkaLogMonitor watch(KafkaLogSettings settings) {
		try {
			return new KafkaLogMonitor(this.topic, new LossNotices(this.clients, this.topic, this.topology), this.id,
					settings.where(), this.tails, this.appender, this.readers);
		}
		catch (RuntimeException | Error ex) {
			this.appender.close();
			throw ex;
		}
	}

	/**
	 * Opens the log, or makes a new one. Tries to reach the brokers for the start
	 * timeout.
	 * @throws LogUnavailableException when they can't be reached or used, or hold a log
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
		return this.tails.size();
	}

	/**
	 * Refused while the brokers are known to be away, when too many appends wait for
	 * their confirm, and when the memory for them is full; unknown when no confirm comes
	 * within the confirm timeout. A record has up to 1,000 KiB.
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
	 * Why appends to at least one partition would be refused now, in one sentence; empty
	 * when none would. Answered from memory, a few seconds old at the most.
	 */
	@Override
	public Optional<String> trouble() {
		return this.tails.stream().flatMap((tail) -> Stream.ofNullable(this.appender.trouble(tail))).findFirst();
	}

	/** Answered from memory; about 1 s old. */
	@Override
	public long startOffset(int partition) {
		return this.tails.get(partition).start();
	}

	/**
	 * Answered from memory: what this process has confirmed or read is below it, what
	 * another one has confirmed may not be for about 1 s.
	 */
	@Override
	public long endOffset(int partition) {
		return this.tails.get(partition).end();
	}

	@Override
	public LogReader follow(int partition, long fromOffset) {
		return new KafkaPartitionReader(this.clients, this.topic.partition(partition), fromOffset,
				this.tails.get(partition), this.readers);
	}

	@Override
	public LogReader claim(String reader, int partition, LongSupplier fromOffset) {
		Objects.checkIndex(partition, partitions());
		ReaderLease turn = new KafkaReaderLease(this.clients, this.topology.turns().name(),
				this.topic.name() + "." + reader + "." + partition, this.readers);
		return new LeasedReader(turn, fromOffset, (offset) -> goOn(partition, offset), this.readers.endings());
	}

	@Override
	public SignalBus signals() {
		return this.signals;
	}

	private LogReader goOn(int partition, long offset) throws InterruptedException {
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
	 * A reader has committed all below an offset, so the partition must reach up to
	 * there. It does not when the last records were lost with a power cut: new records
	 * would get their offsets, and the reader would pass them over.
	 */
	private void requireAllBelow(int partition, long offset) throws InterruptedException {
		KafkaPartitionState tail = this.tails.get(partition);
		if (offset <= tail.end() || offset <= this.topic.end(partition)) {
			return;
		}
		Thread.sleep(SECOND_LOOK);
		long end = this.topic.end(partition);
		if (offset > end) {
			tail.goneBack();
			throw new LogUnavailableException("Partition " + partition + " of the log ends at " + end
					+ ", but a reader has read up to " + offset + ": records were lost, a new log must begin");
		}
	}

	/**
	 * Removes what is older than the retention, or more than the partition should hold,
	 * as far as it was read. An error is logged when the partition is too large because
	 * somebody has not read it.
	 */
	@Override
	public void trim(int partition, long belowOffset) {
		this.retention.trim(partition, belowOffset);
	}

	/**
	 * How many records were gone before a reader had read them, as seen by the claims of
	 * this process; anything above 0 is an alarm.
	 */
	@Override
	public long removedUnread() {
		return this.retention.lost();
	}

	/** How many partitions are too large with unread records, as of the last trim. */
	@Override
	public long partitionsAtRisk() {
		return this.retention.risks();
	}

	@Override
	public void close() {
		this.appender.close();
		this.watch.stop();
		this.readers.close();
		this.admin.close(Duration.ZERO);
	}

}
