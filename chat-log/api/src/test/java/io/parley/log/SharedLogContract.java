package io.parley.log;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static io.parley.log.LogReading.append;
import static io.parley.log.LogReading.readTexts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** The contract of a {@link RoomLog} that several processes can open at the same time. */
public abstract class SharedLogContract extends RoomLogContract {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/** Opens the log with this name. No other test uses it. */
	protected abstract RoomLog open(String name, int partitions);

	@Override
	protected final RoomLog open() {
		return open("log", 4);
	}

	@Test
	void hasOneIdWhenSeveralProcessesCreateTheLogAtOnce() {
		try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
			List<CompletableFuture<RoomLog>> opening = IntStream.range(0, 4)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> open("several", 4), executor))
				.toList();
			List<RoomLog> logs = opening.stream().map(CompletableFuture::join).toList();
			assertThat(logs).extracting(RoomLog::id).containsOnly(logs.getFirst().id());
			logs.forEach(RoomLog::close);
		}
	}

	@Test
	void showsWhatAnotherProcessAppends() throws Exception {
		try (RoomLog other = open(); LogReader reader = this.log.follow(0, 0)) {
			assertThat(append(other, 0, "a")).containsExactly(0L);
			assertThat(append(this.log, 0, "b")).containsExactly(1L);
			assertThat(append(other, 0, "c")).containsExactly(2L);
			assertThat(readTexts(reader, 3)).containsExactly("a", "b", "c");
			await().atMost(PATIENCE).until(() -> this.log.endOffset(0) == 3);
		}
	}

	@Test
	void carriesSignalsToTheOtherProcesses() {
		try (RoomLog other = open()) {
			SignalChecks.reachTheOthersInOrder(this.log, other);
		}
	}

	@Test
	void refusesAnotherNumberOfPartitions() {
		assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(() -> open("log", 8))
			.withMessageContaining("has 4 partitions, 8 are configured");
	}

}
