package io.parley.server.error;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;

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

	/**
	 * Returns what a client is told about a failure that another attempt may not have:
	 * {@code server-busy} if the database has chosen the transaction as the victim of a
	 * deadlock or it has waited for a lock for too long, {@code store-unavailable} if the
	 * database cannot be reached, null for any other failure.
	 */
	static @Nullable ChatException temporary(Throwable failure) {
		// First, because an SQLTimeoutException may be the cause of a lock timeout.
		if (failure instanceof ConcurrencyFailureException) {
			return ErrorCode.SERVER_BUSY.because("Others change the same at this moment; try again.");
		}
		return isConnectionFailure(failure) ? unavailable() : null;
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
