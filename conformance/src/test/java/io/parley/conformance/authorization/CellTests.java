package io.parley.conformance.authorization;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;

import static org.assertj.core.api.Assertions.assertThat;

/** Turns the cells of the table into tests, each with its own display name. */
final class CellTests {

	private CellTests() {
	}

	static Stream<DynamicContainer> of(List<Row> rows, World world, Calls calls) {
		return rows.stream()
			.map((row) -> DynamicContainer.dynamicContainer(row.toString(),
					Arrays.stream(Caller.values()).map((caller) -> cell(world, calls, row, caller))));
	}

	private static DynamicTest cell(World world, Calls calls, Row row, Caller caller) {
		String expected = row.outcome(caller);
		String name = row + ", " + caller.heading() + ": " + expected;
		return DynamicTest.dynamicTest(name,
				() -> assertThat(calls.outcome(row, world.situation(row, caller))).as(name).isEqualTo(expected));
	}

}
