package io.parley.events;

/**
 * The positions that order the events of one room: {@code epoch * 2^40 + offset in the
 * partition}. Positions strictly increase within a room, because the epoch increases
 * whenever the log is replaced. They are exact in JavaScript numbers (below 2^53) for
 * 8,191 epochs.
 */
public final class Positions {

	/** The position before the first event of any room. */
	public static final long NONE = 0;

	private static final int OFFSET_BITS = 40;

	private static final long MAX_OFFSET = (1L << OFFSET_BITS) - 1;

	private static final long MAX_EPOCH = (1L << 13) - 1;

	private Positions() {
	}

	/**
	 * Returns the position of an offset.
	 * @param epoch from 1 to 8,191
	 * @param offset from 0 to 2^40 - 1
	 */
	public static long of(long epoch, long offset) {
		if (epoch < 1 || epoch > MAX_EPOCH || offset < 0 || offset > MAX_OFFSET) {
			throw new IllegalArgumentException("No position for epoch " + epoch + ", offset " + offset);
		}
		return epoch << OFFSET_BITS | offset;
	}

	public static long epoch(long position) {
		return position >>> OFFSET_BITS;
	}

	public static long offset(long position) {
		return position & MAX_OFFSET;
	}

}
