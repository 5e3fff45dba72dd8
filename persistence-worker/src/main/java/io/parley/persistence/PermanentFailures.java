package io.parley.persistence;

import java.sql.SQLException;
import java.util.Set;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Tells rows that the database will never take from troubles that pass: deadlocks, lost
 * connections, a server that is read-only or full. After those the whole batch is tried
 * again.
 */
final class PermanentFailures {

	/**
	 * MySQL: the column's character set lacks a character. These two come without the
	 * SQLState of a data error.
	 */
	private static final Set<Integer> DATA_ERRORS = Set.of(1366, 3988);

	private PermanentFailures() {
	}

	static boolean isRefusal(DataAccessException ex) {
		return ex instanceof DataIntegrityViolationException || (ex.getMostSpecificCause() instanceof SQLException cause
				&& DATA_ERRORS.contains(cause.getErrorCode()));
	}

}
