package io.parley.log.embedded;

import java.util.List;
import java.util.stream.LongStream;

import io.parley.log.LogRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EmbeddedPartitionStateTests {

	private final EmbeddedPartitionState state = new EmbeddedPartitionState(0, 5);

	@Test
	void hasTheRecordsThatWereAddedLast() {
		append(5, 8, 100);
		assertThat(this.state.end()).isEqualTo(8);
		assertThat(newestFrom(5)).containsExactly(5L, 6L, 7L);
		assertThat(newestFrom(7)).containsExactly(7L);
		append(8, 9, 100);
		assertThat(newestFrom(8)).containsExactly(8L);
	}

	@Test
	void hasNothingForAReaderThatMissesARecord() {
		assertThat(newestFrom(0)).isEmpty();
		append(5, 8, 100);
		assertThat(newestFrom(4)).isEmpty();
		assertThat(newestFrom(8)).isEmpty();
		append(8, 9, 100);
		assertThat(newestFrom(7)).isEmpty();
	}

	@Test
	void keepsNoLargeRecords() {
		append(5, 6, 256 * 1024);
		assertThat(newestFrom(5)).containsExactly(5L);
		append(6, 8, 128 * 1024 + 1);
		assertThat(this.state.end()).isEqualTo(8);
		assertThat(newestFrom(5)).isEmpty();
		assertThat(newestFrom(6)).isEmpty();
	}

	private void append(long from, long below, int bytes) {
		this.state.append(
				LongStream.range(from, below).mapToObj((offset) -> new LogRecord(0, offset, new byte[bytes])).toList());
	}

	private List<Long> newestFrom(long offset) {
		return this.state.newestFrom(offset).stream().map(LogRecord::offset).toList();
	}

}
