package io.parley.notification.provider;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the message of the exception instead of a stack trace. */
final class FcmSettingsFailureAnalyzer extends AbstractFailureAnalyzer<FcmSettingsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, FcmSettingsException cause) {
		return new FailureAnalysis(cause.getMessage(), null, cause);
	}

}
