package io.parley.loadtest.study.transports;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryCheckTests {

	private static final int BYTES = 100;

	private static final Cell BROADCAST = new Cell(Experiment.BROADCAST, 2, 2, BYTES);

	private static final Cell ECHO = new Cell(Experiment.ECHO, 2, 1, BYTES);

	private final DeliveryCheck broadcast = new DeliveryCheck(BROADCAST);

	private final DeliveryCheck echo = new DeliveryCheck(ECHO);

	@Test
	void isDoneWhenEachClientHasEachMessage() throws InterruptedException {
		for (int sequence = 0; sequence < 2; sequence++) {
			for (int sender = 0; sender < 2; sender++) {
				arrived(0, sender, sequence);
				assertThat(this.broadcast.await(Duration.ZERO)).as("done too early").isFalse();
				arrived(1, sender, sequence);
			}
		}
		assertThat(this.broadcast.await(Duration.ZERO)).isTrue();
		assertThat(this.broadcast.arrived()).isEqualTo(8);
		assertThat(this.broadcast.problems()).isEmpty();
	}

	@Test
	void isNotDoneWhileOneClientMissesOneMessage() throws InterruptedException {
		arrived(0, 0, 0);
		arrived(0, 0, 1);
		arrived(0, 1, 0);
		arrived(0, 1, 1);
		arrived(1, 0, 0);
		arrived(1, 0, 1);
		arrived(1, 1, 0);
		assertThat(this.broadcast.await(Duration.ZERO)).isFalse();
		assertThat(this.broadcast.arrived()).isEqualTo(7);
	}

	@Test
	void noticesADuplicate() {
		arrived(0, 0, 0);
		arrived(0, 0, 0);
		assertThat(this.broadcast.problems()).containsEntry("doubled, out of order, or after a loss", 1);
		assertThat(this.broadcast.arrived()).isEqualTo(1);
	}

	@Test
	void noticesAGap() {
		arrived(0, 0, 1);
		assertThat(this.broadcast.problems()).containsEntry("doubled, out of order, or after a loss", 1);
	}

	@Test
	void noticesACutMessage() {
		byte[] message = client(BROADCAST, 1, this.broadcast).message(0);
		client(BROADCAST, 0, this.broadcast).arrived(message, 0, BYTES - 1);
		assertThat(this.broadcast.problems()).containsEntry("incomplete or unknown", 1);
	}

	@Test
	void noticesAnEchoThatSomebodyElseGot() {
		client(ECHO, 0, this.echo).arrived(client(ECHO, 1, this.echo).message(0));
		assertThat(this.echo.problems()).containsEntry("delivered to another client", 1);
	}

	@Test
	void letsASenderGoOnWhenAllHaveItsMessage() throws InterruptedException {
		DeliveryCheck check = new DeliveryCheck(new Cell(Experiment.BROADCAST, 1000, 2, BYTES));
		check.awaitWindow(5);
		Thread next = Thread.ofVirtual().start(() -> {
			try {
				check.awaitWindow(5);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		for (int receiver = 0; receiver < 999; receiver++) {
			check.arrived(receiver, 5, 0, BYTES);
		}
		assertThat(next.join(Duration.ofMillis(50))).as("went on without the last one").isFalse();
		check.arrived(999, 5, 0, BYTES);
		assertThat(next.join(Duration.ofSeconds(30))).isTrue();
	}

	private void arrived(int receiver, int sender, int sequence) {
		client(BROADCAST, receiver, this.broadcast)
			.arrived(client(BROADCAST, sender, this.broadcast).message(sequence));
	}

	private static RoundClient client(Cell cell, int number, DeliveryCheck check) {
		return new RoundClient(cell, "group", number, check);
	}

}
