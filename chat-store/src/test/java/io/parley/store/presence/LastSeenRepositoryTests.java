package io.parley.store.presence;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.room.BlockRepository;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class LastSeenRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-31T23:59:59.123Z");

	private final LastSeenRepository seen;

	private final BlockRepository blocks;

	private final JdbcTemplate jdbc;

	LastSeenRepositoryTests(LastSeenRepository seen, BlockRepository blocks, JdbcTemplate jdbc) {
		this.seen = seen;
		this.blocks = blocks;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("DELETE FROM last_seen");
	}

	@Test
	void keepsTheLatestTime() {
		this.seen.see(Map.of("anna", NOW, "bert", NOW));
		this.seen.see(Map.of("anna", NOW.minusMillis(1), "bert", NOW.plusMillis(1)));
		assertThat(this.seen.visibleTo("cleo", List.of("anna", "bert", "dora")))
			.isEqualTo(Map.of("anna", NOW, "bert", NOW.plusMillis(1)));
		Map<String, Instant> many = IntStream.range(0, 450)
			.boxed()
			.collect(Collectors.toMap((i) -> "user" + i, (i) -> NOW));
		this.seen.see(many);
		assertThat(this.seen.visibleTo("cleo", many.keySet())).hasSize(450);
	}

	@Test
	void isHiddenBothWays() {
		this.seen.see(Map.of("anna", NOW, "bert", NOW));
		this.seen.hide("anna", true);
		this.seen.hide("cleo", true);
		assertThat(this.seen.isHidden("anna")).isTrue();
		assertThat(this.seen.isHidden("bert")).isFalse();
		assertThat(this.seen.isHidden("dora")).isFalse();
		assertThat(this.seen.visibleTo("dora", List.of("anna", "bert"))).isEqualTo(Map.of("bert", NOW));
		assertThat(this.seen.visibleTo("anna", List.of("bert"))).isEmpty();
		assertThat(this.seen.visibleTo("cleo", List.of("bert"))).as("a user who was never seen").isEmpty();
		this.seen.see(Map.of("anna", NOW.plusMillis(5)));
		assertThat(this.seen.isHidden("anna")).isTrue();
		this.seen.hide("anna", false);
		assertThat(this.seen.visibleTo("dora", List.of("anna", "cleo"))).isEqualTo(Map.of("anna", NOW.plusMillis(5)));
	}

	@Test
	void isNotShownBetweenUsersOfABlock() {
		this.seen.see(Map.of("blocker", NOW, "blocked", NOW, "third", NOW));
		this.blocks.add("blocker", "blocked", 10, NOW);
		assertThat(this.seen.visibleTo("blocker", List.of("blocked", "third"))).containsOnlyKeys("third");
		assertThat(this.seen.visibleTo("blocked", List.of("blocker", "third"))).containsOnlyKeys("third");
		assertThat(this.seen.visibleTo("third", List.of("blocker", "blocked"))).hasSize(2);
		this.blocks.remove("blocker", "blocked");
		assertThat(this.seen.visibleTo("blocked", List.of("blocker"))).hasSize(1);
	}

}
