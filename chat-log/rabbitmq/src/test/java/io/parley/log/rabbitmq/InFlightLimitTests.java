package io.parley.log.rabbitmq;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InFlightLimitTests {

	private static final int MIB = 1024 * 1024;

	@Test
	void refusesTooManyAndKeepsCount() {
		InFlightLimit inFlight = new InFlightLimit(2);
		assertThat(inFlight.enter(10)).isTrue();
		assertThat(inFlight.enter(10)).isTrue();
		assertThat(inFlight.enter(10)).isFalse();
		assertThat(inFlight).hasToString("2 appends of 20 bytes");
		inFlight.leave(10);
		assertThat(inFlight.enter(10)).isTrue();
	}

	@Test
	void refusesTooManyBytesAndKeepsCount() {
		InFlightLimit inFlight = new InFlightLimit(1000);
		assertThat(inFlight.enter(32 * MIB)).isTrue();
		assertThat(inFlight.enter(1)).isFalse();
		assertThat(inFlight).hasToString("1 appends of " + 32 * MIB + " bytes");
	}

}
