package io.parley.log.embedded;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AppendQueueTests {

	private final AppendQueue queue = new AppendQueue();

	@Test
	void refusesWhenTooManyAppendsWait() {
		for (int i = 0; i < 65_536; i++) {
			assertThat(this.queue.offer(append(1))).isNull();
		}
		assertThat(this.queue.offer(append(1))).contains("can't keep up", "65536 appends");
		this.queue.take(1);
		assertThat(this.queue.offer(append(1))).isNull();
	}

	@Test
	void refusesWhenTooManyBytesWait() {
		for (int i = 0; i < 8; i++) {
			assertThat(this.queue.offer(append(4 * 1024 * 1024))).isNull();
		}
		assertThat(this.queue.offer(append(1))).contains("can't keep up");
		this.queue.take(1);
		assertThat(this.queue.offer(append(1))).isNull();
	}

	@Test
	void drainsTheOldestUpToTheLimitButAtLeastOne() {
		EmbeddedPendingAppend first = append(10);
		EmbeddedPendingAppend second = append(5);
		EmbeddedPendingAppend third = append(5);
		this.queue.offer(first);
		this.queue.offer(second);
		this.queue.offer(third);
		assertThat(this.queue.take(8)).isEqualTo(List.of(first));
		assertThat(this.queue.take(10)).isEqualTo(List.of(second, third));
	}

	@Test
	void drainsWhatItAcceptedBeforeItRefused() {
		EmbeddedPendingAppend taken = append(1);
		this.queue.offer(taken);
		this.queue.refuse("closed");
		this.queue.refuse("a later reason");
		assertThat(this.queue.offer(append(1))).isEqualTo("closed");
		assertThat(this.queue.take(10)).isEqualTo(List.of(taken));
		assertThat(this.queue.take(10)).isEmpty();
	}

	private static EmbeddedPendingAppend append(int bytes) {
		return new EmbeddedPendingAppend(0, new byte[bytes]);
	}

}
