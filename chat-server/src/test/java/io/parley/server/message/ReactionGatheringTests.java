package io.parley.server.message;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.parley.events.Reaction;
import io.parley.server.message.ReactionWriter.Waiting;
import io.parley.server.message.ReactionWriter.Written;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReactionGatheringTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private final ReactionGathering gathering = new ReactionGathering();

	@Test
	void theFirstChangeGoesAtOnce() {
		add();
		assertThat(this.gathering.isFirst()).isTrue();
		assertThat(this.gathering.waitNanos(null)).isNotPositive();
		add();
		assertThat(this.gathering.isFirst()).isFalse();
		assertThat(this.gathering.take().changes()).hasSize(2);
		add();
		assertThat(this.gathering.isWaiting()).isFalse();
		this.gathering.written(null);
		assertThat(this.gathering.isWaiting()).isTrue();
	}

	@Test
	void theNextOneWaitsForAboutASecond() {
		add();
		long before = System.nanoTime();
		assertThat(this.gathering.waitNanos(before)).isBetween(SECOND / 2, SECOND * 12 / 10);
		assertThat(this.gathering.waitNanos(before - 2 * SECOND)).isNotPositive();
		assertThat(this.gathering.waitNanos(before + 60 * SECOND)).as("others write all the time")
			.isLessThanOrEqualTo(SECOND * 12 / 10);
		this.gathering.take();
		add();
		this.gathering.written(new Written(5, 7, Map.of()));
		assertThat(this.gathering.waitNanos(null)).isPositive();
	}

	@Test
	void boundsWhatWaits() {
		for (int i = 0; i < 4_000; i++) {
			assertThat(add()).isTrue();
		}
		assertThat(add()).isFalse();
		assertThat(this.gathering.take().changes()).hasSize(4_000);
		assertThat(add()).isTrue();
	}

	@Test
	void noticesRecordsThatCrossed() {
		Written written = new Written(5, 9, Map.of());
		this.gathering.take();
		this.gathering.seen(7);
		this.gathering.written(written);
		assertThat(this.gathering.readsBack()).isTrue();
		this.gathering.seen(9);
		assertThat(this.gathering.readsBack()).isFalse();
		assertThat(this.gathering.isQuietSince(written)).isTrue();
		assertThat(this.gathering.crossed()).isTrue();
		this.gathering.seen(11);
		assertThat(this.gathering.crossed()).as("the server of the newer one corrects").isFalse();
	}

	@Test
	void aRecordThatWasKnownHasNotCrossed() {
		this.gathering.take();
		this.gathering.seen(5);
		this.gathering.written(new Written(5, 9, Map.of()));
		this.gathering.seen(9);
		assertThat(this.gathering.crossed()).isFalse();
	}

	private boolean add() {
		return this.gathering.add(new Waiting(new Reaction.Change(new Reaction("anna", ":a:"), true)));
	}

}
