package io.parley.events;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PositionsTests {

	@ParameterizedTest
	@CsvSource({ "1, 0", "1, 1099511627775", "8191, 0", "8191, 1099511627775", "42, 7" })
	void holdEpochAndOffsetAndAreExactInJavaScript(long epoch, long offset) {
		long position = Positions.of(epoch, offset);
		assertThat(Positions.epoch(position)).isEqualTo(epoch);
		assertThat(Positions.offset(position)).isEqualTo(offset);
		assertThat((long) (double) position).isEqualTo(position).isLessThan(1L << 53);
	}

	@Test
	void growWithTheEpochForAnyOffset() {
		assertThat(Positions.of(2, 0)).isGreaterThan(Positions.of(1, (1L << 40) - 1)).isGreaterThan(Positions.NONE);
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "8192, 0", "1, -1", "1, 1099511627776" })
	void rejectValuesThatJavaScriptCannotRepresentExactly(long epoch, long offset) {
		assertThatIllegalArgumentException().isThrownBy(() -> Positions.of(epoch, offset));
	}

}
