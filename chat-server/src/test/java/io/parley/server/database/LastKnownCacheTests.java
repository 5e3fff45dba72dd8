package io.parley.server.database;

import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.parley.server.error.ChatException;
import io.parley.server.error.StoreFailures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
class LastKnownCacheTests {

	private final Database database = Databases.of(new DriverManagerDataSource("jdbc:h2:mem:last-known"));

	private final AtomicInteger asked = new AtomicInteger();

	private volatile boolean unavailable;

	/** Every entry is stale at once. */
	private final LastKnownCache<String, Integer> stale = new LastKnownCache<>(this.database, 10,
			(answer) -> Duration.ZERO, this::answer);

	private int answer(String key) {
		if (this.unavailable) {
			throw new CannotGetJdbcConnectionException("A test", new SQLTransientConnectionException("A test"));
		}
		return this.asked.incrementAndGet();
	}

	@AfterEach
	void stop() {
		this.database.stop();
	}

	@Test
	void cachesAnAnswer() {
		LastKnownCache<String, Integer> fresh = new LastKnownCache<>(this.database, 10, (answer) -> Duration.ofHours(1),
				this::answer);
		assertThat(fresh.get("a")).isEqualTo(1);
		assertThat(fresh.get("a")).isEqualTo(1);
		assertThat(fresh.get("b")).isEqualTo(2);
		fresh.forget("a");
		assertThat(fresh.get("a")).isEqualTo(3);
	}

	@Test
	void keepsWhatWasPutWhileTheDatabaseIsUnavailable() {
		assertThat(this.stale.get("a")).isEqualTo(1);
		this.stale.put("a", 7);
		this.unavailable = true;
		assertThat(this.stale.get("a")).isEqualTo(7);
		this.unavailable = false;
	}

	@Test
	void queriesAgainWhenAnAnswerIsStale() {
		assertThat(this.stale.get("a")).isEqualTo(1);
		assertThat(this.stale.get("a")).isEqualTo(2);
	}

	@Test
	void returnsTheLastAnswerWhileTheDatabaseIsDownButNoEvictedOne() {
		this.stale.get("a");
		this.stale.get("b");
		this.unavailable = true;
		assertThat(this.stale.get("a")).isEqualTo(1);
		assertThat(this.stale.get("b")).isEqualTo(2);
		this.stale.forget("b");
		assertThatExceptionOfType(ChatException.class).isThrownBy(() -> this.stale.get("b"))
			.matches(StoreFailures::isUnavailable);
		assertThatExceptionOfType(ChatException.class).isThrownBy(() -> this.stale.get("never asked"))
			.matches(StoreFailures::isUnavailable);
	}

	@Test
	void evictsWithoutWaitingForAQueryInFlightAndDropsItsAnswer() {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch resume = new CountDownLatch(1);
		LastKnownCache<String, Integer> fresh = new LastKnownCache<>(this.database, 10, (answer) -> Duration.ofHours(1),
				(key) -> {
					started.countDown();
					await(resume);
					return this.asked.incrementAndGet();
				});
		CompletableFuture<Integer> before = CompletableFuture.supplyAsync(() -> fresh.get("a"));
		await(started);
		fresh.forget("a");
		resume.countDown();
		assertThat(before.join()).isEqualTo(1);
		assertThat(fresh.get("a")).as("asked again").isEqualTo(2);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
