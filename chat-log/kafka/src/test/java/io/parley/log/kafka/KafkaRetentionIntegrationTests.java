package io.parley.log.kafka;

import java.time.Duration;
import java.util.UUID;

import io.parley.log.LogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.parley.log.LogReading.append;
import static io.parley.log.LogReading.readTexts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Checks which records retention removes, and when. */
class KafkaRetentionIntegrationTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	@RegisterExtension
	static final KafkaBroker broker = new KafkaBroker();

	private final String topic = "test-" + UUID.randomUUID();

	private KafkaRoomLog log;

	@BeforeEach
	void open() {
		this.log = KafkaRoomLog.open(broker.settings(this.topic, 4));
	}

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void removesOldRecordsThatWereRead() throws Exception {
		append(this.log, 0, "a", "b", "c", "d");
		await().atMost(PATIENCE).until(() -> {
			this.log.trim(0, 2);
			return this.log.startOffset(0) == 2;
		});
		try (LogReader reader = this.log.follow(0, 0)) {
			assertThat(readTexts(reader, 2)).containsExactly("c", "d");
		}
	}

	@Test
	void removesExcessRecordsOnlyAfterTheyWereRead() throws Exception {
		KafkaLogSettings settings = KafkaBroker.settings(broker.address(), this.topic + "-small", 1, Duration.ofDays(1),
				1_000_000);
		try (KafkaRoomLog log = KafkaRoomLog.open(settings)) {
			for (int i = 0; i < 100; i++) {
				log.append(0, new byte[100_000]).join();
			}
			log.trim(0, 0);
			assertThat(log.startOffset(0)).isZero();
			assertThat(log.partitionsAtRisk()).isOne();
			log.trim(0, 100);
			assertThat(log.startOffset(0)).isBetween(50L, 95L);
			assertThat(log.partitionsAtRisk()).isZero();
		}
	}

	@Test
	void reportsRecordsThatWereRemovedUnread() throws Exception {
		append(this.log, 0, "a", "b", "c");
		await().atMost(PATIENCE).until(() -> {
			this.log.trim(0, 2);
			return this.log.startOffset(0) == 2;
		});
		try (LogReader reader = this.log.claim("worker", 0, () -> 1)) {
			assertThat(readTexts(reader, 1)).containsExactly("c");
		}
		assertThat(this.log.removedUnread()).isOne();
	}

}
