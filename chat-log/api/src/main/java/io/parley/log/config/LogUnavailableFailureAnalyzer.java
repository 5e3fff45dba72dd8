package io.parley.log.config;

import io.parley.log.LogUnavailableException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports the message of the exception instead of a stack trace. */
final class LogUnavailableFailureAnalyzer extends AbstractFailureAnalyzer<LogUnavailableException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, LogUnavailableException cause) {
		return new FailureAnalysis(cause.getMessage(), null, cause);
	}

}
