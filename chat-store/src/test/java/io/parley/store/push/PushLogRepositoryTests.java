package io.parley.store.push;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.push.PushLogEntry.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class PushLogRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");

	private final PushLogRepository log;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	PushLogRepositoryTests(PushLogRepository log, TransactionTemplate transaction, JdbcTemplate jdbc) {
		this.log = log;
		this.transaction = transaction;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("DELETE FROM push_log");
	}

	@Test
	void storesADecision() {
		PushLogEntry sent = new PushLogEntry("anna", "r", 5, 8, NOW, Outcome.SENT, Device.id(Device.Kind.FID, "t"),
				Device.Platform.IOS, "m1");
		PushLogEntry muted = entry("anna", 9, 9, NOW.plusSeconds(1));
		this.log.add(List.of(sent, muted));
		assertThat(this.log.latest("anna", "r", 10)).containsExactly(muted, sent);
	}

	@Test
	void storesEachOutcome() {
		List<PushLogEntry> entries = IntStream.range(0, Outcome.values().length)
			.mapToObj(
					(i) -> new PushLogEntry("anna", "r", 1, 1, NOW.plusMillis(i), Outcome.values()[i], null, null, "d"))
			.toList();
		this.log.add(entries);
		assertThat(this.log.about(new PushKey("anna", "r"), 1)).isEqualTo(entries);
	}

	@Test
	void findsDecisionsAboutManyUsersAtOnce() {
		PushLogEntry first = entry("anna", 5, 6, NOW);
		PushLogEntry second = entry("anna", 7, 9, NOW);
		PushLogEntry other = entry("bert", 1, 4, NOW);
		this.log.add(List.of(first, second, other, entry("cleo", 5, 9, NOW)));
		assertThat(this.log.since(Map.of(new PushKey("anna", "r"), 6L, new PushKey("bert", "r"), 2L)))
			.containsExactlyInAnyOrder(first, second, other);
		assertThat(this.log.since(Map.of(new PushKey("anna", "r"), 7L, new PushKey("anna", "other"), 1L)))
			.containsExactly(second);
		assertThat(this.log.since(Map.of())).isEmpty();
	}

	@Test
	void findsDecisionsAboutAMessageOldestFirst() {
		PushLogEntry later = entry("anna", 7, 9, NOW.plusSeconds(1));
		PushLogEntry first = entry("anna", 5, 7, NOW);
		this.log.add(List.of(later, first, entry("bert", 5, 9, NOW)));
		assertThat(this.log.about(new PushKey("anna", "r"), 4)).isEmpty();
		assertThat(this.log.about(new PushKey("anna", "r"), 5)).containsExactly(first);
		assertThat(this.log.about(new PushKey("anna", "r"), 7)).containsExactly(first, later);
		assertThat(this.log.about(new PushKey("anna", "r"), 9)).containsExactly(later);
		assertThat(this.log.about(new PushKey("anna", "r"), 10)).isEmpty();
		assertThat(this.log.about(new PushKey("anna", "other"), 7)).isEmpty();
	}

	@Test
	void findsTheLatestDecisionsOfARoom() {
		this.log.add(IntStream.range(0, 5).mapToObj((i) -> entry("anna", i, i, NOW.plusMillis(i))).toList());
		assertThat(this.log.latest("anna", "r", 2)).extracting(PushLogEntry::firstPosition).containsExactly(4L, 3L);
		assertThat(this.log.latest("anna", "other", 2)).isEmpty();
		assertThat(this.log.latest("bert", "r", 2)).isEmpty();
	}

	@Test
	void truncatesALongDetail() {
		this.log.add(List.of(new PushLogEntry("anna", "r", 1, 1, NOW, Outcome.REFUSED, null, null, "x".repeat(501))));
		assertThat(this.log.latest("anna", "r", 1).getFirst().detail()).isEqualTo("x".repeat(500));
	}

	@Test
	void deletesAnyNumberOfOldEntries() {
		assertThat(this.log.oldest()).isEmpty();
		this.log.add(IntStream.range(0, 10_500).mapToObj((i) -> entry("anna", i, i, NOW.minusMillis(1))).toList());
		this.log.add(List.of(entry("anna", 20_000, 20_000, NOW), entry("bert", 1, 1, NOW.plusSeconds(9))));
		assertThat(this.log.oldest()).contains(NOW.minusMillis(1));
		assertThat(this.log.removeBefore(NOW)).isEqualTo(10_500);
		assertThat(this.log.latest("anna", "r", 10)).extracting(PushLogEntry::firstPosition).containsExactly(20_000L);
		assertThat(this.log.latest("bert", "r", 10)).hasSize(1);
		assertThat(this.log.oldest()).contains(NOW);
		assertThat(this.log.removeBefore(NOW)).isZero();
	}

	@Test
	void joinsTheTransactionOfTheCaller() {
		this.transaction.executeWithoutResult((status) -> {
			this.log.add(List.of(entry("anna", 1, 1, NOW)));
			status.setRollbackOnly();
		});
		assertThat(this.log.latest("anna", "r", 1)).isEmpty();
	}

	private static PushLogEntry entry(String username, long first, long last, Instant at) {
		return new PushLogEntry(username, "r", first, last, at, Outcome.MUTED, null, null, "");
	}

}
