package io.parley.loadtest;

import java.net.URI;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TargetTests {

	private final Target target = new Target();

	@Test
	void letsTheSystemChooseWhereItsPortsAreEnough() {
		assertThat(this.target.firstSource(25_000)).isNull();
	}

	@Test
	void usesFurtherAddressesOfThisMachineForMoreSessions() {
		assertThat(this.target.firstSource(25_001)).isEqualTo("127.0.0.2");
	}

	@Test
	void keepsTheAddressThatIsGiven() {
		this.target.sourceAddress = "127.0.0.9";
		assertThat(this.target.firstSource(25_001)).isEqualTo("127.0.0.9");
	}

	@Test
	void knowsNoFurtherAddressTowardsAnotherMachine() {
		this.target.url = URI.create("http://192.0.2.1:8080");
		assertThat(this.target.firstSource(25_001)).isNull();
	}

}
