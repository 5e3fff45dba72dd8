package io.parley.loadtest.trial;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Target;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TargetTests {

	private final Target target = new Target();

	@Test
	void letsTheSystemChooseWhereItsPortsAreEnough() {
		assertThat(this.target.sources(25_000)).isEmpty();
	}

	@Test
	void usesFurtherAddressesOfThisMachineForMoreSessions() {
		assertThat(this.target.sources(25_001)).containsExactly("127.0.0.2", "127.0.0.3");
		assertThat(this.target.sources(60_000)).containsExactly("127.0.0.2", "127.0.0.3", "127.0.0.4");
	}

	@Test
	void keepsTheAddressesThatAreGiven() {
		this.target.sources = List.of("127.0.0.9");
		assertThat(this.target.sources(25_001)).containsExactly("127.0.0.9");
	}

	@Test
	void knowsNoFurtherAddressTowardsAnotherMachine() {
		this.target.url = URI.create("http://192.0.2.1:8080");
		assertThat(this.target.sources(25_001)).isEmpty();
	}

	@Test
	void refusesAnAddressOfAnotherMachine() {
		assertThat(Target.source("127.0.0.1")).isEqualTo(InetAddress.getLoopbackAddress());
		this.target.sources = List.of("127.0.0.1", "192.0.2.9");
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Preconditions.checkTarget(this.target, 1))
			.withMessageContaining("--source 192.0.2.9 is no address of this machine");
	}

	@Test
	void saysHowManyOpenFilesAreNeeded() {
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Preconditions.checkOpenFiles(20_000, 1024))
			.withMessageContaining("ulimit -n 20100");
	}

}
