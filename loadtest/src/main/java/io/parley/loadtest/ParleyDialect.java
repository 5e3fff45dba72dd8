package io.parley.loadtest;

/** The protocol of Parley: tokens, receipts, positions. */
record ParleyDialect(String run, Measures measures) implements Dialect {

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
		return StompFrames.send(room.id(), message);
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
