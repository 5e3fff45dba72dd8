package io.parley.loadtest.user;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.user.RoomPlan.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RoomPlanTests {

	@ParameterizedTest
	@CsvSource({ "300, 20", "1000, 20", "100, 50", "40, 10" })
	void givesEachUserNearlyAllRooms(int users, int rooms) {
		Map<Integer, Integer> counts = roomsOfEach(RoomPlan.of(users, rooms, 1));
		assertThat(counts).hasSize(users);
		assertThat(counts.values()).allSatisfy((count) -> assertThat(count).isLessThanOrEqualTo(rooms));
		assertThat(counts.values().stream().mapToInt(Integer::intValue).average().orElse(0))
			.isGreaterThan(0.95 * rooms);
	}

	@ParameterizedTest
	@CsvSource({ "2, 1", "2, 20", "3, 20", "10, 4", "25, 20" })
	void worksWithFewUsers(int users, int rooms) {
		List<RoomPlan> plan = RoomPlan.of(users, rooms, 1);
		assertThat(roomsOfEach(plan)).hasSize(users);
		assertThat(plan).allSatisfy((room) -> {
			assertThat(room.members()).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(2);
			assertThat(room.members()).allMatch((user) -> user >= 0 && user < users);
		});
	}

	@Test
	void mixesTheSizes() {
		List<RoomPlan> plan = RoomPlan.of(300, 20, 1);
		assertThat(plan).filteredOn((room) -> room.kind() == Kind.DIRECT)
			.hasSize(1200)
			.allSatisfy((room) -> assertThat(room.members()).hasSize(2));
		assertThat(plan).filteredOn((room) -> room.kind() == Kind.CHANNEL)
			.extracting((room) -> room.members().size())
			.contains(300)
			.allSatisfy((size) -> assertThat(size).isGreaterThanOrEqualTo(20));
		assertThat(plan).filteredOn((room) -> room.kind() == Kind.GROUP)
			.extracting((room) -> room.members().size())
			.contains(3, 4, 5, 8)
			.allSatisfy((size) -> assertThat(size).isBetween(3, 30));
		assertThat(new HashSet<>(plan.stream()
			.filter((room) -> room.kind() == Kind.DIRECT)
			.map((room) -> new HashSet<>(room.members()))
			.toList())).as("no two users have two direct rooms").hasSize(1200);
	}

	@Test
	void isTheSameForTheSameSeed() {
		assertThat(RoomPlan.of(50, 20, 7)).isEqualTo(RoomPlan.of(50, 20, 7)).isNotEqualTo(RoomPlan.of(50, 20, 8));
		assertThat(RoomPlan.weights(List.of(2, 3, 4), 7)).isEqualTo(RoomPlan.weights(List.of(2, 3, 4), 7));
	}

	@Test
	void letsAFewRoomsBeBusy() {
		List<Double> weights = RoomPlan
			.weights(RoomPlan.of(300, 20, 1).stream().map((room) -> room.members().size()).toList(), 1);
		List<Double> sorted = weights.stream().sorted(Comparator.reverseOrder()).toList();
		double all = sorted.stream().mapToDouble(Double::doubleValue).sum();
		double busiest = sorted.stream().limit(sorted.size() / 20).mapToDouble(Double::doubleValue).sum();
		assertThat(busiest / all).as("share of the busiest twentieth").isBetween(0.5, 0.9);
	}

	private static Map<Integer, Integer> roomsOfEach(List<RoomPlan> plan) {
		Map<Integer, Integer> counts = new HashMap<>();
		plan.forEach((room) -> room.members().forEach((user) -> counts.merge(user, 1, Integer::sum)));
		return counts;
	}

}
