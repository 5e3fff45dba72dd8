package io.parley.persistence;

import java.util.List;
import java.util.stream.IntStream;

import io.parley.log.LogRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BatchSplitterTests {

	private static final int MIB = 1024 * 1024;

	@Test
	void keepsRecordsThatFitInOneBatch() {
		List<LogRecord> records = records(1, 2 * MIB, MIB, MIB - 1);
		assertThat(BatchSplitter.split(records)).containsExactly(records);
	}

	@Test
	void splitsBeforeTheRecordThatExceedsTheLimit() {
		List<LogRecord> records = records(3 * MIB, MIB, 1, 4 * MIB);
		assertThat(BatchSplitter.split(records)).containsExactly(records.subList(0, 2), records.subList(2, 3),
				records.subList(3, 4));
	}

	@Test
	void putsAnOversizedRecordIntoItsOwnBatch() {
		List<LogRecord> records = records(1, 5 * MIB, 1);
		assertThat(BatchSplitter.split(records)).containsExactly(records.subList(0, 1), records.subList(1, 2),
				records.subList(2, 3));
	}

	private static List<LogRecord> records(int... lengths) {
		return IntStream.range(0, lengths.length).mapToObj((i) -> new LogRecord(0, i, new byte[lengths[i]])).toList();
	}

}
