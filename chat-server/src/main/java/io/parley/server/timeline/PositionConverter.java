package io.parley.server.timeline;

import io.parley.events.Positions;
import io.parley.events.RoomNames;
import io.parley.log.RoomLog;
import io.parley.store.log.LogEpochs;

import org.springframework.stereotype.Component;

/**
 * Converts between log offsets and the positions that clients see. Safe for use by many
 * threads.
 */
@Component
public class PositionConverter {

	private final RoomLog log;

	private final LogEpochs epochs;

	private final long epoch;

	PositionConverter(RoomLog log, LogEpochs epochs) {
		this.log = log;
		this.epochs = epochs;
		this.epoch = epochs.current(log);
	}

	public long epoch() {
		return this.epoch;
	}

	/** Returns the first offset of a partition that has a position in this epoch. */
	long firstOffset(int partition) {
		return this.epochs.firstOffset(partition, this.epoch);
	}

	/** Returns the partition of a room. */
	public int partition(String room) {
		return RoomNames.partition(room, this.log.partitions());
	}

	public long position(long offset) {
		return Positions.of(this.epoch, offset);
	}

	/** Returns whether the log can have assigned that position by now. */
	boolean isKnown(String room, long position) {
		return position < position(this.log.endOffset(partition(room)));
	}

	/**
	 * Returns the first offset that may hold an event after that position, or -1 if the
	 * position is from an older epoch, whose events are only in the store.
	 */
	long offsetAfter(long position) {
		return (Positions.epoch(position) < this.epoch) ? -1 : Positions.offset(position) + 1;
	}

}
