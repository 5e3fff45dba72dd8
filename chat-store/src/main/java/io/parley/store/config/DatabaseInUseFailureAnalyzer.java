package io.parley.store.config;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains in one sentence that another process uses the H2 file. */
final class DatabaseInUseFailureAnalyzer extends AbstractFailureAnalyzer<SQLException> {

	/** The error code DATABASE_ALREADY_OPEN_1 of H2. */
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
