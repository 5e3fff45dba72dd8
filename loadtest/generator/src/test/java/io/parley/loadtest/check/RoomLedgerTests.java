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

	@Test
	void knowsWhatIsAboveAPositionAndWhatNobodyHasSeen() {
		RoomLedger room = new RoomLedger("r");
		room.expect(1);
		room.expect(2);
		assertThat(room.unseen()).isEqualTo(2);
		room.seen(1, 10);
		room.seen(3, 12);
		assertThat(room.unseen()).isEqualTo(1);
		assertThat(room.newest()).isEqualTo(12);
		assertThat(room.countAfter(9)).isEqualTo(2);
		assertThat(room.countAfter(10)).isEqualTo(1);
		assertThat(room.countAfter(12)).isZero();
	}

}
