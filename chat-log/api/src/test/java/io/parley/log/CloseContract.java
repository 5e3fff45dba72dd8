package io.parley.log;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The part of {@link RoomLogContract} that covers closing. */
abstract class CloseContract extends ClaimContract {

	private static final Duration LONG = Duration.ofMinutes(1);

	@Test
	void endsAWaitingPollWhenTheReaderIsClosed() {
		LogReader reader = log().follow(0, 0);
		assertThatExceptionOfType(LogClosedException.class).isThrownBy(() -> pollWhile(reader, reader::close));
	}

	@Test
	void endsAWaitingPollWhenTheLogIsClosed() {
		LogReader reader = log().follow(0, 0);
		assertThatExceptionOfType(LogClosedException.class).isThrownBy(() -> pollWhile(reader, log()::close));
		assertThatExceptionOfType(LogClosedException.class).isThrownBy(() -> reader.poll(1, Duration.ZERO));
	}

	/** Polls with a long timeout and runs the action as soon as the poll waits. */
	static void pollWhile(LogReader reader, Runnable action) throws InterruptedException {
		Thread poller = Thread.currentThread();
		CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
			while (poller.getState() != Thread.State.TIMED_WAITING) {
				Thread.onSpinWait();
			}
			action.run();
		});
		try {
			reader.poll(1, LONG);
		}
		finally {
			done.join();
		}
	}

	@Test
	void reportsThatItIsClosed() {
		assertThat(log().unavailableReason()).isEmpty();
		log().close();
		assertThat(log().unavailableReason()).hasValueSatisfying((sentence) -> assertThat(sentence).contains("closed"));
	}

	@Test
	void refusesAppendsAfterClose() {
		log().close();
		assertThat(log().append(0, new byte[1])).failsWithin(LONG)
			.withThrowableThat()
			.withCauseInstanceOf(AppendRefusedException.class)
			.withMessageContaining("closed");
	}

}
