package io.parley.loadtest.check;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RoomLedgerTests {

	private final RoomLedger ledger = new RoomLedger("room");

	@Test
	void expectsWhatWasAcceptedOrSeen() {
		this.ledger.expect(1);
		this.ledger.expect(2);
		this.ledger.seen(2, 100);
		this.ledger.seen(3, 101);
		assertThat(this.ledger.expected()).isEqualTo(3);
	}

	@Test
	void letsEverySessionSeeAMessageAtItsPosition() {
		assertThat(this.ledger.seen(1, 100)).isTrue();
		this.ledger.expect(1);
		assertThat(this.ledger.seen(1, 100)).isTrue();
	}

	@Test
	void noticesAMessageThatTheRoomHoldsTwice() {
		this.ledger.expect(1);
		assertThat(this.ledger.seen(1, 100)).isTrue();
		assertThat(this.ledger.seen(1, 108)).isFalse();
	}

}
