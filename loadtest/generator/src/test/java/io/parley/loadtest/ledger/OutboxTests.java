package io.parley.loadtest.ledger;

import java.time.Duration;

import io.parley.loadtest.stomp.LoadMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OutboxTests {

	private final SendLedger ledger = new SendLedger();

	private final Outbox outbox = new Outbox("room", this.ledger);

	private final long now = System.nanoTime();

	@Test
	void sendsTheOldestFirstAndAgainWhatWasUnderWay() {
		add(1, 0);
		assertThat(next(0)).isEqualTo(0);
		this.outbox.connectionLost();
		assertThat(next(0)).isEqualTo(0);
		assertThat(next(0)).isEqualTo(1);
		assertThat(this.ledger.repeated()).containsExactly(0L);
	}

	@Test
	void pausesASecondAfterARefusal() {
		add(0);
		next(0);
		this.outbox.rejected(0, "rate-limited", this.now);
		assertThat(this.outbox.next(this.now)).isNull();
		assertThat(next(2)).isEqualTo(0);
		assertThat(this.ledger.repeated()).as("nothing is unknown about a refusal").isEmpty();
	}

	@Test
	void takesAnUnknownOutcomeForUnknown() {
		add(0);
		next(0);
		this.outbox.rejected(0, "append-unknown", this.now);
		assertThat(next(2)).isEqualTo(0);
		assertThat(this.ledger.repeated()).containsExactly(0L);
	}

	@Test
	void doesNotWaitForEver() {
		add(0);
		next(0);
		this.outbox.expire(this.now + Duration.ofSeconds(19).toNanos());
		assertThat(this.outbox.next(this.now)).isNull();
		this.outbox.expire(this.now + Duration.ofSeconds(21).toNanos());
		assertThat(next(21)).isEqualTo(0);
	}

	@Test
	void takesAReceiptThatComesLate() {
		add(0);
		next(0);
		this.outbox.connectionLost();
		this.outbox.confirmed(0);
		assertThat(this.outbox.isEmpty()).isTrue();
		assertThat(this.ledger.acknowledged()).containsExactly(0L);
	}

	private void add(long... sequences) {
		for (long sequence : sequences) {
			this.outbox.add(new LoadMessage("run", sequence, 0));
		}
	}

	private long next(int second) {
		LoadMessage message = this.outbox.next(this.now + Duration.ofSeconds(second).toNanos());
		assertThat(message).isNotNull();
		return message.sequence();
	}

}
