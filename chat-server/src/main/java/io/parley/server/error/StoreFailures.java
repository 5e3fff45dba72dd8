package io.parley.server.error;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;

import org.jspecify.annotations.Nullable;

/** Classifies failures of the database. */
public final class StoreFailures {

	private StoreFailures() {
	}

	/**
	 * Returns whether a failure means that the database cannot be reached or does not
	 * respond, rather than that it rejected a statement.
	 */
	public static boolean isConnectionFailure(@Nullable Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql && isConnectionLost(sql)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isConnectionLost(SQLException failure) {
		return switch (failure) {
			case SQLTransientConnectionException transientConnection -> true;
			case SQLNonTransientConnectionException connection -> true;
			case SQLRecoverableException recoverable -> true;
			case SQLTimeoutException timeout -> true;
			default -> failure.getSQLState() != null && failure.getSQLState().startsWith("08");
		};
	}

	/** Creates the exception for a request that needs the unavailable database. */
	public static ChatException unavailable() {
		return ErrorCode.STORE_UNAVAILABLE
			.because("The server can't look it up now, because its database is unavailable; try again in a moment.");
	}

	/** Returns whether a request was refused because the database is unavailable. */
	public static boolean isUnavailable(Throwable failure) {
		return failure instanceof ChatException exception && exception.errorCode() == ErrorCode.STORE_UNAVAILABLE;
	}

}
