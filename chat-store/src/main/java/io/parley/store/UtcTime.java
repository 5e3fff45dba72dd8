package io.parley.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Instants as columns without a zone hold them: in UTC. Drivers pass such values through,
 * whatever the time zones of this JVM, the session and the server are.
 */
public final class UtcTime {

	private UtcTime() {
	}

	/** The value to be written. */
	public static LocalDateTime of(Instant instant) {
		return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
	}

	/** The current time, to be written. */
	public static LocalDateTime now() {
		return LocalDateTime.now(ZoneOffset.UTC);
	}

	/** The instant in a column that is not null. */
	public static Instant read(ResultSet row, String column) throws SQLException {
		return row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
	}

}
