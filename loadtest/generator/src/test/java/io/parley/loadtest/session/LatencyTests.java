package io.parley.loadtest.session;

import java.util.concurrent.TimeUnit;

import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.LoadMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LatencyTests {

	@Test
	void fixesTheTimeOfEveryStepBeforehand() {
		Pace pace = new Pace(1000, 4);
		assertThat(pace.intended(0)).isEqualTo(1000);
		assertThat(pace.intended(3)).isEqualTo(1000 + TimeUnit.MILLISECONDS.toNanos(750));
	}

	@Test
	void countsALateSendAsLatency() {
		Pace pace = new Pace(System.nanoTime() - TimeUnit.SECONDS.toNanos(5), 1);
		Measures measures = new Measures();
		long intended = pace.await(2);
		Measures.since(intended, measures.delivering);
		assertThat(measures.delivering.getMaxValue()).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toMicros(2));
	}

	@Test
	void ignoresTextOfOthers() {
		assertThat(LoadMessage.parse("hello there")).isNull();
		assertThat(LoadMessage.parse(null)).isNull();
	}

}
