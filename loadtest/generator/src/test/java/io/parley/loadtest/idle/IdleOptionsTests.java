package io.parley.loadtest.idle;

import java.net.URI;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.measure.Generator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class IdleOptionsTests {

	private final IdleOptions options = new IdleOptions();

	@Test
	void refusesAHostThatIsNotThisMachineUnlessItIsOwned() {
		this.options.target.url = URI.create("http://192.0.2.1:8080");
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(this.options::check)
			.withMessageContaining("--i-own-this-host");
		this.options.target.owned = true;
		this.options.check();
	}

	@Test
	void refusesMoreSessionsThanAUserMayHave() {
		this.options.sessions = 100;
		this.options.users = 4;
		this.options.rooms = 1;
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(this.options::check)
			.withMessageContaining("--users 5");
	}

	@Test
	void hasNoUsersAtAPlainServerAndSoNoLimitForThem() {
		this.options.plain = true;
		this.options.sessions = 10_000;
		this.options.rooms = 1;
		this.options.check();
		this.options.users = 5_000;
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(this.options::check)
			.withMessageContaining("omit --users and --away");
	}

	@Test
	void refusesALoginAtParley() {
		this.options.login = "me";
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(this.options::check)
			.withMessageContaining("need --plain");
	}

	@Test
	void givesEachProcessARoom() {
		this.options.rooms = 2;
		this.options.processes = 3;
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(this.options::check)
			.withMessageContaining("--processes 3 needs --rooms 3 or more");
		this.options.rooms = 3;
		this.options.check();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 9 })
	void takesOneToEightProcesses(int processes) {
		this.options.processes = processes;
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(this.options::check)
			.withMessageContaining("--processes must be from 1 to 8");
	}

	@Test
	void countsTheOpenFilesOfEachProcess() {
		this.options.sessions = (int) Math.min(Generator.maxOpenFiles(), 1_000_000);
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(this.options::check)
			.withMessageContaining("--processes");
		this.options.processes = 2;
		this.options.check();
	}

}
