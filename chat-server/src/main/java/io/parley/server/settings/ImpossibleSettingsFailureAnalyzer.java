package io.parley.server.settings;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the message of the exception instead of a stack trace. */
final class ImpossibleSettingsFailureAnalyzer extends AbstractFailureAnalyzer<ImpossibleSettingsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ImpossibleSettingsException cause) {
		return new FailureAnalysis(cause.getMessage(), null, cause);
	}

}
