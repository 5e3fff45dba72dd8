package io.parley.server.error;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;

import org.jspecify.annotations.Nullable;

/** What a failure of the database means for clients. */
public final class StoreFailures {

	private StoreFailures() {
	}

	/** Whether a failure says that the database is away, and not that it refused. */
	public static boolean isAway(@Nullable Throwable failure) {
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

	/** The refusal of what cannot be done without the database. */
	public static ChatException unavailable() {
		return ErrorCode.STORE_UNAVAILABLE
			.because("The server can't look it up now, because its database is away; try again in a moment.");
	}

	/** Whether something was refused because the database is away. */
	public static boolean isUnavailable(Throwable failure) {
		return failure instanceof ChatException refused && refused.refusal() == ErrorCode.STORE_UNAVAILABLE;
	}

}
