package io.parley.loadtest.idle;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.idle.GeneratorPlan.User;
import io.parley.loadtest.user.Account;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class GeneratorPlanTests {

	private final IdleOptions options = new IdleOptions();

	GeneratorPlanTests() {
		this.options.processes = 3;
		this.options.rooms = 4;
		this.options.users = 10;
		this.options.sessions = 33;
		this.options.rate = 20;
		this.options.connectRate = 66;
	}

	@Test
	void givesEachRoomToOneProcess() {
		List<GeneratorPlan> plans = plans();
		assertThat(plans).hasSize(3);
		assertThat(rooms(plans.get(0))).containsExactly("room-0", "room-3");
		assertThat(rooms(plans.get(1))).containsExactly("room-1");
		assertThat(rooms(plans.get(2))).containsExactly("room-2");
		assertThat(plans.stream().flatMap((plan) -> plan.users().stream())).hasSize(10).doesNotHaveDuplicates();
	}

	@Test
	void leavesEachUserTheSessionsThatItHasWithOneProcess() {
		Map<String, Integer> expected = new TreeMap<>();
		IntStream.range(0, 33).forEach((n) -> expected.merge("token-" + n % 10, 1, Integer::sum));
		Map<String, Integer> sessions = new TreeMap<>();
		for (GeneratorPlan plan : plans()) {
			IntStream.range(0, plan.options().sessions)
				.forEach((n) -> sessions.merge(plan.users().get(n % plan.users().size()).token(), 1, Integer::sum));
		}
		assertThat(sessions).isEqualTo(expected);
		assertThat(GeneratorPlan.largestShare(this.options)).isEqualTo(plans().getFirst().options().sessions);
	}

	@Test
	void dividesTheRatesAndTakesTurns() {
		List<GeneratorPlan> plans = plans();
		assertThat(plans.stream().mapToDouble((plan) -> plan.options().rate).sum()).isCloseTo(20, within(1e-9));
		assertThat(plans.stream().mapToDouble((plan) -> plan.options().connectRate).sum()).isCloseTo(66, within(1e-9));
		assertThat(plans).extracting(GeneratorPlan::delay)
			.containsExactly(Duration.ZERO, Duration.ofMillis(50), Duration.ofMillis(100));
		assertThat(plans).allSatisfy(
				(plan) -> assertThat(plan.options().rate).isCloseTo(20.0 * plan.options().sessions / 33, within(1e-9)));
	}

	@Test
	void comesWholeToTheOtherProcessAndShowsNoToken() {
		this.options.target.sources = List.of("127.0.0.2");
		this.options.passcode = "secret";
		GeneratorPlan plan = plans().getFirst();
		JsonMapper json = JsonMapper.shared();
		assertThat(json.readValue(json.writeValueAsString(plan), GeneratorPlan.class)).usingRecursiveComparison()
			.isEqualTo(plan);
		assertThat(plan.toString()).doesNotContain("token-", "secret");
		List<Account> accounts = plan.accounts();
		assertThat(accounts.stream().collect(Collectors.groupingBy(Account::room)))
			.as("sessions of one room share its ledger")
			.hasSize(2);
		assertThat(plan.options().target.sources(10)).containsExactly("127.0.0.2");
	}

	private List<GeneratorPlan> plans() {
		List<RoomLedger> rooms = IntStream.range(0, 4).mapToObj((n) -> new RoomLedger("room-" + n)).toList();
		List<Account> accounts = IntStream.range(0, 10)
			.mapToObj((n) -> new Account("user-" + n, "token-" + n, 900, rooms.get(n % 4)))
			.toList();
		return GeneratorPlan.divide(this.options, "run", accounts);
	}

	private static List<String> rooms(GeneratorPlan plan) {
		return plan.users().stream().map(User::room).distinct().toList();
	}

}
