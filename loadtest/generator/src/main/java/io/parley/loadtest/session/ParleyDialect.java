package io.parley.loadtest.session;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.stomp.StompFrames;
import io.parley.loadtest.user.Account;

/**
 * The protocol of Parley: tokens, receipts, positions.
 *
 * @param size minimum length of a message's text in bytes; shorter texts are padded
 */
public record ParleyDialect(String run, Measures measures, int size) implements Dialect {

	/**
	 * Creates a dialect with messages as short as possible.
	 */
	public ParleyDialect(String run, Measures measures) {
		this(run, measures, 0);
	}

	@Override
	public byte[] connect(Account account) {
		return StompFrames.connect("parley", account.token());
	}

	@Override
	public byte[] subscribe(RoomLedger room) {
		return StompFrames.subscribe(room.id(), null);
	}

	@Override
	public byte[] send(RoomLedger room, LoadMessage message) {
		return StompFrames.send(room.id(), message, this.size);
	}

	@Override
	public Subscription subscription(RoomLedger room) {
		return new RoomSubscription(room, this.run, this.measures);
	}

	@Override
	public boolean confirms() {
		return true;
	}

}
