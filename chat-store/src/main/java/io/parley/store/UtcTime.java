package io.parley.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Converts between instants and columns without a time zone, which hold UTC. Drivers pass
 * such values through unchanged, whatever the time zones of this JVM, the session and the
 * server are.
 */
public final class UtcTime {

	private UtcTime() {
	}

	/** Returns the column value of an instant. */
	public static LocalDateTime of(Instant instant) {
		return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
	}

	/** Returns the column value of the current time. */
	public static LocalDateTime now() {
		return LocalDateTime.now(ZoneOffset.UTC);
	}

	/** Returns the instant in a column, whose value must not be null. */
	public static Instant read(ResultSet row, String column) throws SQLException {
		return row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
	}

}
