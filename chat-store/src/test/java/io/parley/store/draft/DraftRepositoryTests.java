package io.parley.store.draft;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class DraftRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-31T23:59:59.123Z");

	private final DraftRepository drafts;

	private final JdbcTemplate jdbc;

	private final String user = UUID.randomUUID().toString();

	private final String room = UUID.randomUUID().toString();

	DraftRepositoryTests(DraftRepository drafts, JdbcTemplate jdbc) {
		this.drafts = drafts;
		this.jdbc = jdbc;
		jdbc.update("INSERT INTO account (username, password_hash, created_at) VALUES (?, 'x', NOW())", this.user);
		join(this.room);
	}

	private void join(String other) {
		this.jdbc.update("INSERT INTO room_member (room_id, username, joined_at) VALUES (?, ?, NOW())", other,
				this.user);
	}

	private Draft put(long thread, String body, Instant now) {
		return this.drafts.put(this.user, this.room, thread, body, 0, now).orElseThrow();
	}

	@Test
	void keepsTheLastWriteOfEachRoomAndThread() {
		put(0, "{\"text\":\"a\"}", NOW);
		Draft reply = put(7, "{\"text\":\"ü👍\"}", NOW.plusMillis(1));
		Draft last = put(0, "{\"text\":\"b\"}", NOW.plusMillis(2));
		assertThat(this.drafts.of(this.user)).containsExactly(last, reply);
		this.drafts.deleteIn(this.room, this.user);
		assertThat(this.drafts.of(this.user)).isEmpty();
	}

	@Test
	void versionsGrowWhateverTheClockSaysAndAfterTheRemoval() {
		long first = put(0, "{}", NOW).version();
		long second = put(0, "{}", NOW.minusSeconds(60)).version();
		Draft removed = this.drafts.remove(this.user, this.room, 0, NOW.minusSeconds(60)).orElseThrow();
		long fourth = put(0, "{}", NOW.minusSeconds(60)).version();
		assertThat(List.of(first, second, removed.version(), fourth)).isSorted().doesNotHaveDuplicates();
		assertThat(removed.body()).isNull();
		this.drafts.remove(this.user, this.room, 0, NOW);
		assertThat(this.drafts.remove(this.user, this.room, 0, NOW)).isEmpty();
		this.drafts.deleteRemovedBefore(NOW.plus(Duration.ofDays(1)));
		assertThat(put(0, "{}", NOW.plus(Duration.ofDays(1))).version()).isGreaterThan(fourth);
	}

	@Test
	void theCountOfAUserIsExact() throws Exception {
		List<Future<Optional<Draft>>> puts = new ArrayList<>();
		try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
			for (int i = 1; i <= 16; i++) {
				long thread = i;
				puts.add(threads.submit(() -> this.drafts.put(this.user, this.room, thread, "{}", 5, NOW)));
			}
		}
		int stored = 0;
		for (Future<Optional<Draft>> put : puts) {
			stored += put.get().isPresent() ? 1 : 0;
		}
		assertThat(stored).isEqualTo(5);
		Draft one = this.drafts.of(this.user).getFirst();
		assertThat(this.drafts.put(this.user, this.room, one.thread(), "{}", 5, NOW)).isPresent();
		this.drafts.remove(this.user, this.room, one.thread(), NOW);
		assertThat(this.drafts.put(this.user, this.room, 0, "{}", 5, NOW)).isPresent();
	}

	@Test
	void hidesDraftsInRoomsThatTheUserHasLeft() {
		put(0, "{}", NOW);
		this.jdbc.update("DELETE FROM room_member WHERE room_id = ?", this.room);
		assertThat(this.drafts.of(this.user)).isEmpty();
	}

}
