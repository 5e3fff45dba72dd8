package io.parley.log;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static io.parley.log.LogReading.append;
import static io.parley.log.LogReading.read;
import static io.parley.log.LogReading.readTexts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The part of {@link RoomLogContract} that covers {@link RoomLog#claim}. */
abstract class ClaimContract {

	private static final Duration MOMENT = Duration.ofMillis(100);

	abstract RoomLog log();

	@Test
	void activatesOneReaderPerName() throws Exception {
		append(log(), 0, "a");
		try (LogReader active = log().claim("worker", 0, () -> 0);
				LogReader second = log().claim("worker", 0, () -> 0)) {
			assertThat(readTexts(active, 1)).containsExactly("a");
			assertThat(second.poll(10, MOMENT)).isEmpty();
		}
	}

	@Test
	void keepsNamesAndPartitionsIndependent() throws Exception {
		append(log(), 0, "a");
		append(log(), 1, "b");
		try (LogReader one = log().claim("worker", 0, () -> 0);
				LogReader otherName = log().claim("pusher", 0, () -> 0);
				LogReader otherPartition = log().claim("worker", 1, () -> 0)) {
			assertThat(readTexts(one, 1)).containsExactly("a");
			assertThat(readTexts(otherName, 1)).containsExactly("a");
			assertThat(readTexts(otherPartition, 1)).containsExactly("b");
		}
	}

	@Test
	void asksForTheStartOffsetWhenItBecomesActive() throws Exception {
		append(log(), 0, "a", "b", "c", "d");
		AtomicLong committed = new AtomicLong();
		AtomicInteger asked = new AtomicInteger();
		LogReader active = log().claim("worker", 0, committed::get);
		assertThat(readTexts(active, 3)).containsExactly("a", "b", "c");
		try (LogReader next = log().claim("worker", 0, () -> {
			asked.incrementAndGet();
			return committed.get();
		})) {
			assertThat(next.poll(10, MOMENT)).isEmpty();
			assertThat(asked).hasValue(0);
			committed.set(2);
			active.close();
			assertThat(read(next, 2)).extracting(LogRecord::offset).containsExactly(2L, 3L);
			assertThat(asked).hasValue(1);
		}
	}

	@Test
	void losesAndRepeatsNothingWhileReadersTakeOver() throws Exception {
		AtomicLong committed = new AtomicLong();
		List<String> done = new ArrayList<>();
		List<String> appended = new ArrayList<>();
		LogReader reader = log().claim("worker", 0, committed::get);
		for (int round = 0; round < 20; round++) {
			String text = "record " + round;
			append(log(), 0, text, "more " + round);
			appended.addAll(List.of(text, "more " + round));
			for (LogRecord record : read(reader, 2)) {
				done.add(new String(record.data(), StandardCharsets.UTF_8));
				committed.set(record.offset() + 1);
			}
			LogReader next = log().claim("worker", 0, committed::get);
			reader.close();
			reader = next;
		}
		reader.close();
		assertThat(done).isEqualTo(appended);
	}

	@Test
	void activatesStandbysInTheOrderOfTheirClaims() throws Exception {
		append(log(), 0, "a");
		LogReader first = log().claim("worker", 0, () -> 0);
		LogReader second = log().claim("worker", 0, () -> 0);
		LogReader third = log().claim("worker", 0, () -> 0);
		assertThat(readTexts(first, 1)).containsExactly("a");
		first.close();
		assertThat(readTexts(second, 1)).containsExactly("a");
		assertThat(third.poll(10, MOMENT)).isEmpty();
		second.close();
		assertThat(readTexts(third, 1)).containsExactly("a");
		third.close();
	}

	@Test
	void removesAStandbyThatIsClosed() throws Exception {
		append(log(), 0, "a");
		LogReader first = log().claim("worker", 0, () -> 0);
		LogReader second = log().claim("worker", 0, () -> 0);
		assertThat(readTexts(first, 1)).containsExactly("a");
		second.close();
		assertThatExceptionOfType(LogClosedException.class).isThrownBy(() -> second.poll(1, MOMENT));
		first.close();
		try (LogReader third = log().claim("worker", 0, () -> 0)) {
			assertThat(readTexts(third, 1)).containsExactly("a");
		}
	}

	@Test
	void asksAgainWhenTheStartOffsetWasUnavailable() throws Exception {
		append(log(), 0, "a");
		AtomicInteger asked = new AtomicInteger();
		try (LogReader reader = log().claim("worker", 0, () -> {
			if (asked.getAndIncrement() == 0) {
				throw new IllegalStateException("The database is unavailable");
			}
			return 0;
		})) {
			assertThatIllegalStateException().isThrownBy(() -> reader.poll(1, Duration.ofSeconds(30)));
			assertThat(readTexts(reader, 1)).containsExactly("a");
		}
	}

	@Test
	void endsAWaitingStandbyWhenTheLogIsClosed() throws Exception {
		append(log(), 0, "a");
		LogReader active = log().claim("worker", 0, () -> 0);
		assertThat(readTexts(active, 1)).containsExactly("a");
		LogReader standby = log().claim("worker", 0, () -> 0);
		assertThatExceptionOfType(LogClosedException.class)
			.isThrownBy(() -> CloseContract.pollWhile(standby, log()::close));
	}

}
