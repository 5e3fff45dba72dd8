package io.parley.store.room;

/**
 * The stored markers of a member of a room.
 *
 * @param read the position up to which the member has read
 * @param delivered the position up to which messages have been delivered to the member;
 * may be below the read position
 */
public record MemberMarkers(long read, long delivered) {

	/** The markers of a member who has none. */
	public static final MemberMarkers NONE = new MemberMarkers(0, 0);

	/** Returns the markers of a member who has also read up to that position. */
	public MemberMarkers withRead(long position) {
		return new MemberMarkers(Math.max(this.read, position), this.delivered);
	}

}
