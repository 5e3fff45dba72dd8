package io.parley.store.log;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class LogEpochsTests {

	private final LogEpochs epochs;

	private final JdbcTemplate jdbc;

	LogEpochsTests(LogEpochs epochs, JdbcTemplate jdbc) {
		this.epochs = epochs;
		this.jdbc = jdbc;
		jdbc.update("DELETE FROM log_epoch");
	}

	@Test
	void risesWithEachOtherLog() {
		assertThat(this.epochs.current("a", 8)).isEqualTo(1);
		assertThat(this.epochs.current("a", 8)).isEqualTo(1);
		assertThat(this.epochs.current("b", 8)).isEqualTo(2);
		assertThat(this.epochs.current("a", 8)).isEqualTo(3);
	}

	@Test
	void risesWhenTheLogHasAnotherNumberOfPartitions() {
		assertThat(this.epochs.current("a", 8)).isEqualTo(1);
		assertThat(this.epochs.current("a", 16)).isEqualTo(2);
	}

	@Test
	void givesProcessesThatStartAtOnceTheSameEpoch() {
		Set<Long> seen = new HashSet<>();
		try (ExecutorService processes = Executors.newFixedThreadPool(8)) {
			List<CompletableFuture<Long>> asked = IntStream.range(0, 32)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> this.epochs.current("shared", 8), processes))
				.toList();
			asked.forEach((epoch) -> seen.add(epoch.join()));
		}
		assertThat(seen).containsExactly(1L);
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM log_epoch", Integer.class)).isEqualTo(1);
	}

}
