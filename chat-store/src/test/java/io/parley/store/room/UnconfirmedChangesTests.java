package io.parley.store.room;

import java.time.Instant;

import io.parley.store.StoreTest;
import io.parley.store.Threads;
import io.parley.store.room.UnconfirmedChanges.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class UnconfirmedChangesTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final UnconfirmedChanges changes;

	UnconfirmedChangesTests(UnconfirmedChanges changes) {
		this.changes = changes;
	}

	@Test
	void keepsAChangeUntilItIsRemoved() {
		this.changes.add("u1", "anna", Kind.JOINED, NOW);
		this.changes.add("u1", "anna", Kind.JOINED, NOW);
		assertThat(this.changes.contains("u1", "anna", Kind.JOINED)).isTrue();
		assertThat(this.changes.contains("u1", "anna", Kind.LEFT)).isFalse();
		assertThat(this.changes.contains("u1", "bert", Kind.JOINED)).isFalse();
		this.changes.remove("u1", "anna", Kind.JOINED);
		assertThat(this.changes.contains("u1", "anna", Kind.JOINED)).isFalse();
	}

	@Test
	void acceptsTheSameChangeConcurrently() {
		Threads.atOnce(16, (thread) -> {
			this.changes.add("u2", "anna", Kind.LEFT, NOW);
			return thread;
		});
		assertThat(this.changes.contains("u2", "anna", Kind.LEFT)).isTrue();
	}

}
