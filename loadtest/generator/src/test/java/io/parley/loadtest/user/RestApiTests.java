package io.parley.loadtest.user;

import io.parley.loadtest.cli.LoadTestException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestApiTests {

	private static String reason(String message) {
		return RestApi.reason(new LoadTestException(message));
	}

	@Test
	void classifiesFailuresByStatusAndCode() {
		assertThat(reason("GET /api/rooms/x was answered with 429: {\"code\":\"rate-limited\",\"x\":1}"))
			.isEqualTo("429 rate-limited");
		assertThat(reason("GET /api/rooms/x was answered with 502: <html>")).isEqualTo("502");
		assertThat(reason("No answer from http://x (timeout)")).isEqualTo("no answer");
	}

}
