package io.parley.loadtest.life;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LifeRestTests {

	@Test
	void classifiesFailuresByStatusAndCode() {
		assertThat(LifeRest.reason("GET /api/rooms/x was answered with 429: {\"code\":\"rate-limited\",\"x\":1}"))
			.isEqualTo("429 rate-limited");
		assertThat(LifeRest.reason("GET /api/rooms/x was answered with 502: <html>")).isEqualTo("502");
		assertThat(LifeRest.reason("No answer from http://x (timeout)")).isEqualTo("no answer");
	}

}
