package io.parley.loadtest;

/** What the kit says to a server, and what it knows of its answers. */
interface Dialect {

	byte[] connect(Account account);

	byte[] subscribe(RoomLedger room);

	byte[] send(RoomLedger room, LoadMessage message);

	/** Checks what one session gets. */
	Subscription subscription(RoomLedger room);

	/** Whether the server sends a RECEIPT for SUBSCRIBE and SEND. */
	boolean confirms();

}
