package io.parley.loadtest.session;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.user.Account;

/**
 * Creates the frames for a kind of server, and the checks of its deliveries.
 */
public interface Dialect {

	/**
	 * Returns the name of the run, which its messages carry.
	 */
	String run();

	byte[] connect(Account account);

	byte[] subscribe(RoomLedger room);

	byte[] send(RoomLedger room, LoadMessage message);

	/**
	 * Returns a new check for the deliveries of one session.
	 */
	Subscription subscription(RoomLedger room);

	/**
	 * Returns whether the server sends a RECEIPT for SUBSCRIBE and SEND.
	 */
	boolean confirms();

}
