package io.parley.log.config;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports the message of the exception instead of a stack trace. */
final class KnownPasswordFailureAnalyzer extends AbstractFailureAnalyzer<KnownPasswordException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, KnownPasswordException cause) {
		return new FailureAnalysis(cause.getMessage(), null, cause);
	}

}
