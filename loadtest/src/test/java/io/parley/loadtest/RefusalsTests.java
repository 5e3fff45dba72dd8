package io.parley.loadtest;

import java.net.InetAddress;
import java.net.URI;

import io.parley.loadtest.cli.RefusedException;
import org.junit.jupiter.api.Test;

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
			.withMessageContaining("leave --users and --away out");
	}

	@Test
	void refusesALoginAtParley() {
		this.options.login = "me";
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> Refusals.check(this.options))
			.withMessageContaining("belong to --plain");
	}

	@Test
	void usesAnotherSourceAddressForEach20000Sessions() throws Exception {
		InetAddress first = InetAddress.getByName("127.0.0.1");
		assertThat(Connector.source(first, 19_999)).isEqualTo(first);
		assertThat(Connector.source(first, 20_000)).isEqualTo(InetAddress.getByName("127.0.0.2"));
		assertThat(Connector.source(first, 45_000)).isEqualTo(InetAddress.getByName("127.0.0.3"));
	}

}
