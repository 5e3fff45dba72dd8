package io.parley.store;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in a sentence that the H2 file belongs to another process. */
final class DatabaseInUseFailureAnalyzer extends AbstractFailureAnalyzer<SQLException> {

	/** H2's DATABASE_ALREADY_OPEN_1. */
	private static final int ALREADY_OPEN = 90020;

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SQLException cause) {
		if (cause.getErrorCode() != ALREADY_OPEN) {
			return null;
		}
		return new FailureAnalysis(
				"The database file is in use by another process: stop that one, or set another spring.datasource.url.",
				null, cause);
	}

}
