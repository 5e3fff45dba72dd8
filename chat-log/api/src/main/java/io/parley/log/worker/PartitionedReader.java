package io.parley.log.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.parley.log.LogReplacedException;
import io.parley.log.RoomLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims every partition of the log under one name and passes the records to a
 * {@link BatchHandler}, with one platform thread per partition. A handler that fails gets
 * the same records again, with increasing back-off, until it succeeds or the reader
 * stops; records are never skipped. Only the replacement of the log ends the reading of a
 * partition.
 */
public final class PartitionedReader {

	private static final Logger logger = LoggerFactory.getLogger(PartitionedReader.class);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

	private final String name;

	private final RoomLog log;

	private final BatchHandler handler;

	private final ReaderSettings settings;

	private final Consumer<LogReplacedException> onReplaced;

	private final List<Thread> threads = new ArrayList<>();

	private volatile List<PartitionLoop> loops = List.of();

	/**
	 * @param name the name of the reader
	 * @param onReplaced called for each partition when the log was replaced; that
	 * partition is no longer read
	 */
	public PartitionedReader(String name, RoomLog log, BatchHandler handler, ReaderSettings settings,
			Consumer<LogReplacedException> onReplaced) {
		this.name = name;
		this.log = log;
		this.handler = handler;
		this.settings = settings;
		this.onReplaced = onReplaced;
	}

	/** Starts reading; does nothing if it is running already. */
	public synchronized void start() {
		if (isRunning()) {
			return;
		}
		this.loops = IntStream.range(0, this.log.partitions())
			.mapToObj((partition) -> new PartitionLoop(this.name, this.log, partition, this.handler, this.settings,
					this.onReplaced))
			.toList();
		for (int partition = 0; partition < this.loops.size(); partition++) {
			this.threads.add(Thread.ofPlatform().name(this.name + "-" + partition).start(this.loops.get(partition)));
		}
	}

	/** Stops reading and waits up to 20 s for the batches in progress. */
	public synchronized void stop() {
		this.loops.forEach(PartitionLoop::stop);
		long deadline = System.nanoTime() + STOP_TIMEOUT.toNanos();
		try {
			for (Thread thread : this.threads) {
				if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
					logger.warn("Thread {} has not stopped after {} s", thread.getName(), STOP_TIMEOUT.toSeconds());
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.threads.clear();
		this.loops = List.of();
	}

	public boolean isRunning() {
		return !this.loops.isEmpty();
	}

	String name() {
		return this.name;
	}

	/**
	 * Returns the age of the oldest record that was not handled, over the same partitions
	 * as {@link #lag}; zero if there is none.
	 */
	public Duration oldestUnread() {
		return this.loops.stream()
			.map(PartitionLoop::oldestUnread)
			.max(Comparator.naturalOrder())
			.orElse(Duration.ZERO);
	}

	/**
	 * Returns how many records the reader is behind, over the partitions where it is
	 * active, or was active until it failed. Other processes count the partitions that
	 * they read; after a failure two processes may count the same partition for some
	 * seconds. While the start offset is not known yet, only records that have arrived
	 * since then count.
	 */
	public long lag() {
		return this.loops.stream().mapToLong(PartitionLoop::lag).sum();
	}

}
