package io.parley.log.config;

import io.parley.log.LogUnavailableException;
import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

class LogUnavailableFailureAnalyzerTests {

	@Test
	void isRegisteredAndShowsTheMessage() {
		FailureAnalyzer analyzer = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((message, failure) -> {
			}))
			.stream()
			.filter(LogUnavailableFailureAnalyzer.class::isInstance)
			.findFirst()
			.orElseThrow();
		Throwable failure = new IllegalStateException("bean", new LogUnavailableException("do this"));
		assertThat(analyzer.analyze(failure).getDescription()).isEqualTo("do this");
	}

}
