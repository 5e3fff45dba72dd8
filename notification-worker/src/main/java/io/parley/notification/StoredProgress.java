package io.parley.notification;

import io.parley.events.RoomNames;
import io.parley.store.log.ReaderOffsets;

/** Compares the progress of the store with that of the notification-worker. */
class StoredProgress {

	/** The name of the persistence-worker among the readers of the log. */
	private static final String PERSISTENCE = "persistence";

	private final ReaderOffsets offsets;

	private final int partitions;

	private final long epoch;

	StoredProgress(ReaderOffsets offsets, int partitions, long epoch) {
		this.offsets = offsets;
		this.partitions = partitions;
		this.epoch = epoch;
	}

	int partition(String room) {
		return RoomNames.partition(room, this.partitions);
	}

	/**
	 * Returns whether all messages of the partition that are planned by now are also
	 * stored.
	 */
	boolean hasStoredPlanned(int partition) {
		long planned = this.offsets.next(NotificationWorker.READER, partition, this.epoch);
		return this.offsets.next(PERSISTENCE, partition, this.epoch) >= planned;
	}

}
