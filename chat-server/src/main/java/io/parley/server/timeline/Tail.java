package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.events.EventRecord;
import io.parley.events.EventType;
import io.parley.events.NewerRecordException;
import io.parley.events.Positions;
import io.parley.events.UnreadableEventException;
import io.parley.log.LogRecord;
import io.parley.log.LogReplacedException;
import io.parley.log.RoomLog;
import io.parley.persistence.PersistenceWorker;
import io.parley.store.log.ReaderOffsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Follows the whole log, in every broker mode. Gives each event its position and
 * {@code prev}, keeps the newest events in memory and passes them in order to the
 * {@link TailListener}s, with one thread per partition. When the log is replaced, the
 * server becomes {@linkplain LivenessState#BROKEN broken} and must be restarted.
 */
@Component
class Tail implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Tail.class);

	/**
	 * Reading starts this many records before the first unstored one, to learn which
	 * client ids were posted recently.
	 */
	private static final int WARM_UP_RECORDS = 2_000;

	private static final long START_TIMEOUT_MILLIS = 60_000;

	private static final long READ_TIMEOUT_MILLIS = 1_000;

	private final RoomLog roomLog;

	private final PositionConverter positions;

	private final RecentMessages recent;

	private final ObjectProvider<TailListener> listenerBeans;

	private final ApplicationEventPublisher events;

	private List<TailListener> listeners = List.of();

	private final List<TailPartition> partitions = new ArrayList<>();

	/**
	 * The newest positions of rooms that were active or queried recently. Maintained by
	 * the callers: to wake another thread for each message costs more.
	 */
	private final Cache<String, Long> newest = Caffeine.newBuilder()
		.executor(Runnable::run)
		.maximumSize(100_000)
		.build();

	private final List<TailFollower> followers = new CopyOnWriteArrayList<>();

	private volatile boolean running;

	Tail(RoomLog roomLog, PositionConverter positions, ReaderOffsets offsets, RecentMessages recent,
			HistoryProperties properties, ObjectProvider<TailListener> listeners, ApplicationEventPublisher events) {
		this.roomLog = roomLog;
		this.positions = positions;
		this.recent = recent;
		this.listenerBeans = listeners;
		this.events = events;
		long bytes = properties.tail().toBytes() / roomLog.partitions();
		IntStream.range(0, roomLog.partitions()).forEach((partition) -> {
			long persisted = offsets.next(PersistenceWorker.READER, partition, positions.epoch());
			long from = Math.max(positions.firstOffset(partition), persisted - WARM_UP_RECORDS);
			TailPartition tail = new TailPartition(bytes, Math.max(roomLog.startOffset(partition), from));
			tail.stored(persisted);
			this.partitions.add(tail);
		});
	}

	@Override
	public void start() {
		this.listeners = this.listenerBeans.orderedStream().toList();
		this.running = true;
		IntStream.range(0, this.partitions.size()).forEach(this::startFollower);
		// No client is served before the tail has read what the log held at the start.
		IntStream.range(0, this.partitions.size())
			.forEach((partition) -> awaitCaughtUp(partition, START_TIMEOUT_MILLIS));
	}

	private void awaitCaughtUp(int partition, long timeoutMillis) {
		if (!this.partitions.get(partition).awaitRead(this.roomLog.endOffset(partition), timeoutMillis)) {
			log.warn("The tail of partition {} is behind the log", partition);
		}
	}

	private void startFollower(int partition) {
		TailFollower follower = new TailFollower(this.roomLog, partition, this.partitions.get(partition), this::accept,
				this::reportBroken);
		this.followers.add(follower);
		Thread.ofPlatform().name("tail-" + partition).daemon().start(follower);
	}

	/** All positions that this server and its clients know belong to the replaced log. */
	private void reportBroken(LogReplacedException replaced) {
		AvailabilityChangeEvent.publish(this.events, replaced, LivenessState.BROKEN);
	}

	private void accept(LogRecord logRecord) {
		try {
			EventRecord record = EventRecord.decode(logRecord.data());
			long position = this.positions.position(logRecord.offset());
			if (this.recent.isFirst(record, position)) {
				PositionedEvent event = new PositionedEvent(position, previousPosition(record, position),
						current(logRecord.partition(), record));
				this.partitions.get(logRecord.partition()).add(event);
				remember(record.room(), position);
				this.listeners.forEach((listener) -> listener.onEvent(event));
			}
		}
		catch (UnreadableEventException ex) {
			log.warn("Skipping offset {} of partition {}: {}", logRecord.offset(), logRecord.partition(),
					ex.getMessage());
			skip(logRecord);
		}
		catch (NewerRecordException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			log.error("Failed to deliver offset {} of partition {} to all listeners", logRecord.offset(),
					logRecord.partition(), ex);
		}
	}

	/** A change that has crossed the deletion of its message has no effect. */
	private EventRecord current(int partition, EventRecord record) {
		return (record.changes() && this.partitions.get(partition).isDeleted(record.room(), record.target()))
				? record.superseded() : record;
	}

	/**
	 * Reports an unreadable record. As in the store, it does not change {@code prev},
	 * because another build may have read it.
	 */
	private void skip(LogRecord logRecord) {
		String room = EventRecord.roomOf(logRecord.data());
		if (room != null && this.positions.partition(room) == logRecord.partition()) {
			long position = this.positions.position(logRecord.offset());
			this.listeners.forEach((listener) -> listener.onUnreadable(room, position));
		}
	}

	/**
	 * Never queries the database, because delivery waits for this call. A subscription
	 * {@linkplain #remember records} the newest position of its room. For other rooms
	 * this is the position before the event, which no client has seen: a client whose
	 * last position is lower then fetches what it may have missed.
	 */
	private long previousPosition(EventRecord record, long position) {
		Long known = this.newest.getIfPresent(record.room());
		// Not if a subscription has found a newer event in the store than was read here.
		if (known != null && known < position) {
			return known;
		}
		return (record.type() == EventType.ROOM_CREATED) ? Positions.NONE : position - 1;
	}

	/** Records the newest position of a room, as known to the store and the tail. */
	void remember(String room, long position) {
		this.newest.asMap().merge(room, position, Math::max);
	}

	/** Returns the newest position of a room, or null if it is not known here. */
	@Nullable Long newest(String room) {
		return this.newest.getIfPresent(room);
	}

	/** Records that everything in a partition below an offset is stored. */
	void stored(int partition, long belowOffset) {
		this.partitions.get(partition).stored(belowOffset);
	}

	/** Returns what is in memory of the partition of a room now. */
	TailPartition partition(String room) {
		return this.partitions.get(this.positions.partition(room));
	}

	/** Waits for everything that was confirmed before the call, for all these rooms. */
	void awaitConfirmed(Collection<String> rooms) {
		rooms.stream()
			.map(this.positions::partition)
			.distinct()
			.forEach((partition) -> awaitCaughtUp(partition, READ_TIMEOUT_MILLIS));
	}

	/**
	 * Returns the events of a room after a position that are in memory, after
	 * {@link #awaitConfirmed}: senders find their own messages.
	 */
	TailPartition.Slice after(String room, long position) {
		awaitConfirmed(List.of(room));
		return partition(room).after(room, position);
	}

	/** Returns the events after a position, once the tail has read {@code upTo}. */
	TailPartition.Slice allAfter(String room, long position, long upTo) {
		TailPartition partition = partition(room);
		partition.requireRead(this.positions.offsetAfter(upTo), READ_TIMEOUT_MILLIS);
		return partition.after(room, position);
	}

	/**
	 * Returns the events after a position, once the tail has read all that was confirmed
	 * before the call.
	 * @param upTo a position that was confirmed, or 0
	 * @throws IllegalStateException if that takes too long
	 */
	TailPartition.Slice allConfirmedAfter(String room, long position, long upTo) {
		int partition = this.positions.partition(room);
		this.partitions.get(partition).requireRead(this.roomLog.endOffset(partition), READ_TIMEOUT_MILLIS);
		return allAfter(room, position, upTo);
	}

	/** Returns the events in memory from an offset on, once the tail has read another. */
	List<PositionedEvent> from(int partition, long offset, long readOffset) {
		this.partitions.get(partition).requireRead(readOffset + 1, READ_TIMEOUT_MILLIS);
		return this.partitions.get(partition).from(offset);
	}

	/**
	 * Returns the events of all rooms that are in memory and may not be stored, once the
	 * tail has read what was confirmed: senders find their own messages.
	 */
	List<PositionedEvent> unstored() {
		IntStream.range(0, this.partitions.size())
			.forEach((partition) -> awaitCaughtUp(partition, READ_TIMEOUT_MILLIS));
		return this.partitions.stream()
			.flatMap((partition) -> partition.from(partition.storedOffset()).stream())
			.toList();
	}

	/** Does {@link TailPartition#awaitReadIfNear} for a position. */
	boolean awaitPosition(String room, long position) {
		if (Positions.epoch(position) != this.positions.epoch()) {
			return false;
		}
		return partition(room).awaitReadIfNear(this.positions.offsetAfter(position), READ_TIMEOUT_MILLIS);
	}

	/** Returns the lag in records, summed over all partitions. */
	long lag() {
		return this.followers.stream().mapToLong(TailFollower::lag).sum();
	}

	@Override
	public void stop() {
		this.running = false;
		this.followers.forEach(TailFollower::stop);
		this.followers.clear();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Stops after the web server and before the log. */
	@Override
	public int getPhase() {
		return -100;
	}

}
