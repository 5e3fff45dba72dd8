package io.parley.log.health;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.parley.log.RoomLog;
import io.parley.log.embedded.EmbeddedLogSettings;
import io.parley.log.embedded.EmbeddedRoomLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

class LogHealthIndicatorTests {

	private static final Duration GRACE = Duration.ofSeconds(30);

	@TempDir
	private Path directory;

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

	private RoomLog log;

	private LogHealthIndicator health;

	@BeforeEach
	void open() {
		this.log = EmbeddedRoomLog.open(new EmbeddedLogSettings(this.directory, 1, Duration.ofDays(1), 0));
		this.health = new LogHealthIndicator(this.log, () -> 7, GRACE, this.now::get);
	}

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void isUpAndShowsTheLagOfTheReader() {
		Health seen = this.health.health();
		assertThat(seen.getStatus()).isEqualTo(Status.UP);
		assertThat(seen.getDetails()).containsEntry("behind", "7 records").doesNotContainKey("trouble");
	}

	@Test
	void isDownWhenTheFailureHasLastedForTheGracePeriod() {
		this.log.close();
		assertThat(this.health.health().getStatus()).isEqualTo(Status.UP);
		this.now.addAndGet(GRACE.toNanos() - 1);
		assertThat(this.health.health().getStatus()).isEqualTo(Status.UP);
		this.now.addAndGet(1);
		Health seen = this.health.health();
		assertThat(seen.getStatus()).isEqualTo(Status.DOWN);
		assertThat(seen.getDetails()).containsEntry("trouble", "The log is closed")
			.containsEntry("behind", "7 records");
	}

	@Test
	void isDownAtOnceWithoutGracePeriod() {
		this.log.close();
		assertThat(new LogHealthIndicator(this.log, () -> 0, Duration.ZERO).health().getStatus())
			.isEqualTo(Status.DOWN);
	}

}
