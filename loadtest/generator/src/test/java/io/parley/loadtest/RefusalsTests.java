package io.parley.loadtest;

import java.net.URI;

import io.parley.loadtest.cli.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RefusalsTests {

	private final IdleOptions options = new IdleOptions();

	@Test
	void saysHowManyOpenFilesAreNeeded() {
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> Refusals.checkOpenFiles(20_000, 1024))
			.withMessageContaining("ulimit -n 20100");
	}

	@Test
	void refusesAHostThatIsNotThisMachineUnlessItIsOwned() {
		this.options.target.url = URI.create("http://192.0.2.1:8080");
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> Refusals.check(this.options))
			.withMessageContaining("--i-own-this-host");
		this.options.target.owned = true;
		Refusals.check(this.options);
	}

	@Test
	void refusesMoreSessionsThanAUserMayHave() {
		this.options.sessions = 100;
		this.options.users = 4;
		this.options.rooms = 1;
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> Refusals.check(this.options))
			.withMessageContaining("--users 5");
	}

	@Test
	void hasNoUsersAtAPlainServerAndSoNoLimitForThem() {
		this.options.plain = true;
		this.options.sessions = 10_000;
		this.options.rooms = 1;
		Refusals.check(this.options);
		this.options.users = 5_000;
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> Refusals.check(this.options))
			.withMessageContaining("omit --users and --away");
	}

	@Test
	void refusesALoginAtParley() {
		this.options.login = "me";
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> Refusals.check(this.options))
			.withMessageContaining("need --plain");
	}

	@Test
	void givesEachProcessARoom() {
		this.options.rooms = 2;
		this.options.processes = 3;
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> Refusals.check(this.options))
			.withMessageContaining("--processes 3 needs --rooms 3 or more");
		this.options.rooms = 3;
		Refusals.check(this.options);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 9 })
	void takesOneToEightProcesses(int processes) {
		this.options.processes = processes;
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> Refusals.check(this.options))
			.withMessageContaining("--processes must be from 1 to 8");
	}

	@Test
	void countsTheOpenFilesOfEachProcess() {
		this.options.sessions = (int) Math.min(Generator.maxOpenFiles(), 1_000_000);
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> Refusals.check(this.options))
			.withMessageContaining("--processes");
		this.options.processes = 2;
		Refusals.check(this.options);
	}

}
