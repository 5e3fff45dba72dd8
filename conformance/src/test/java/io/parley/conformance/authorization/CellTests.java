package io.parley.conformance.authorization;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Turns the cells of the table into tests, each with its own display name. Unless at full
 * size, these are all calls that are allowed and a third of those that are refused, at
 * least one in each row.
 */
final class CellTests {

	private static final int PART = Boolean.getBoolean("parley.test.full-size") ? 1 : 3;

	private CellTests() {
	}

	static Stream<DynamicContainer> of(List<Row> rows, World world, Calls calls) {
		return IntStream.range(0, rows.size())
			.mapToObj((i) -> DynamicContainer.dynamicContainer(rows.get(i).toString(),
					Arrays.stream(Caller.values())
						.filter((caller) -> isChosen(rows.get(i), i, caller))
						.map((caller) -> cell(world, calls, rows.get(i), caller))));
	}

	private static boolean isChosen(Row row, int index, Caller caller) {
		List<Caller> refused = Arrays.stream(Caller.values()).filter(row::refuses).toList();
		int number = refused.indexOf(caller);
		return number < 0 || (index + number) % Math.min(PART, refused.size()) == 0;
	}

	private static DynamicTest cell(World world, Calls calls, Row row, Caller caller) {
		String expected = row.outcome(caller);
		String name = row + ", " + caller.heading() + ": " + expected;
		return DynamicTest.dynamicTest(name,
				() -> assertThat(calls.outcome(row, world.situation(row, caller))).as(name).isEqualTo(expected));
	}

}
