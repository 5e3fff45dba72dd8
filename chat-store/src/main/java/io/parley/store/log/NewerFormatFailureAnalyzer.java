package io.parley.store.log;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains in one sentence that a newer version must be started. */
final class NewerFormatFailureAnalyzer extends AbstractFailureAnalyzer<NewerFormatException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NewerFormatException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause);
	}

}
