package io.parley.loadtest;

/**
 * Creates the frames for a kind of server and checks what it delivers.
 */
interface Dialect {

	byte[] connect(Account account);

	byte[] subscribe(RoomLedger room);

	byte[] send(RoomLedger room, LoadMessage message);

	/**
	 * Returns the check of what one session receives.
	 */
	Subscription subscription(RoomLedger room);

	/**
	 * Returns whether the server sends a RECEIPT for SUBSCRIBE and SEND.
	 */
	boolean confirms();

}
