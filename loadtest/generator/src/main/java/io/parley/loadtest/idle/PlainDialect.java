package io.parley.loadtest.idle;

import java.util.List;
import java.util.stream.IntStream;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.session.Dialect;
import io.parley.loadtest.session.Subscription;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.stomp.StompFrames;
import io.parley.loadtest.user.Account;

/**
 * Plain STOMP without Parley's protocol: rooms need not be created.
 */
record PlainDialect(IdleOptions options, String run, Measures measures) implements Dialect {

	/**
	 * Returns one account without credentials for each room. The sessions of the room
	 * share it.
	 */
	static List<Account> accounts(String run, int rooms) {
		return IntStream.range(0, rooms)
			.mapToObj((n) -> new Account("", "", 0, new RoomLedger("lt-" + run + "-" + n)))
			.toList();
	}

	@Override
	public byte[] connect(Account account) {
		return StompFrames.plainConnect(this.options.virtualHost(), this.options.login, this.options.passcode);
	}

	@Override
	public byte[] subscribe(RoomLedger room) {
		return StompFrames.plainSubscribe(room.id());
	}

	@Override
	public byte[] send(RoomLedger room, LoadMessage message) {
		return StompFrames.plainSend(this.options.sendTo.replace("{room}", room.id()), message);
	}

	@Override
	public Subscription subscription(RoomLedger room) {
		return new PlainSubscription(room, this.run, this.measures);
	}

	@Override
	public boolean confirms() {
		return false;
	}

}
