package io.parley.conformance.authorization;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Turns the cells of the table into tests, each with its own display name. Unless at full
 * size, these are the cells at the boundaries of each row: of neighbouring callers that
 * are refused for the same reason the last one, who may do most, and of those that are
 * allowed the first one, who may do least.
 */
final class CellTests {

	private static final boolean ALL = Boolean.getBoolean("parley.test.full-size");

	private CellTests() {
	}

	static Stream<DynamicContainer> of(List<Row> rows, World world, Calls calls) {
		return rows.stream()
			.map((row) -> DynamicContainer.dynamicContainer(row.toString(),
					Arrays.stream(Caller.values())
						.filter((caller) -> ALL || isBoundary(row, caller))
						.map((caller) -> cell(world, calls, row, caller))));
	}

	private static boolean isBoundary(Row row, Caller caller) {
		int neighbour = caller.ordinal() + (row.refuses(caller) ? 1 : -1);
		return neighbour < 0 || neighbour == Caller.values().length
				|| !row.outcome(Caller.values()[neighbour]).equals(row.outcome(caller));
	}

	private static DynamicTest cell(World world, Calls calls, Row row, Caller caller) {
		String expected = row.outcome(caller);
		String name = row + ", " + caller.heading() + ": " + expected;
		return DynamicTest.dynamicTest(name,
				() -> assertThat(calls.outcome(row, world.situation(row, caller))).as(name).isEqualTo(expected));
	}

}
