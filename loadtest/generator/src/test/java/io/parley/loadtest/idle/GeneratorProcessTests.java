package io.parley.loadtest.idle;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.user.Account;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GeneratorProcessTests {

	@Test
	void endsByItselfWhenItsInputDoes() throws Exception {
		GeneratorProcess process = new GeneratorProcess("generator 1", (part) -> {
		});
		try (process) {
			assertThat(process.begin(plan()).get(60, TimeUnit.SECONDS)).as("ready").isEqualTo(IdleLoad.Hold.NONE);
			assertThat(process.heap().used()).isPositive();
		}
		assertThat(ProcessHandle.of(process.pid())).isEmpty();
		assertThatThrownBy(() -> process.begin(GeneratorCommand.CONNECT).get(10, TimeUnit.SECONDS))
			.hasCauseInstanceOf(LoadTestException.class)
			.hasMessageContaining("generator 1 ended with exit code 0");
	}

	@Test
	void saysWhyItEnded() throws Exception {
		try (GeneratorProcess process = new GeneratorProcess("generator 2", (part) -> {
		})) {
			assertThatThrownBy(() -> process.begin("no plan").get(60, TimeUnit.SECONDS))
				.hasMessageContaining("generator 2 ended with exit code 1 and printed: ")
				.hasMessageContaining("Unrecognized token 'no'");
		}
	}

	private static String plan() {
		IdleOptions options = new IdleOptions();
		options.sessions = 1;
		options.rooms = 1;
		Account account = new Account("user", "token", 900, new RoomLedger("room"));
		return JsonMapper.shared()
			.writeValueAsString(GeneratorPlan.divide(options, "run", List.of(account)).getFirst());
	}

}
