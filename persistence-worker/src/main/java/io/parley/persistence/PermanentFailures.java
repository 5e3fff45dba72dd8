package io.parley.persistence;

import java.sql.SQLException;
import java.util.Set;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Distinguishes rows that the database will never accept from temporary failures:
 * deadlocks, lost connections, a server that is read-only or full. After a temporary
 * failure the whole batch is retried.
 */
final class PermanentFailures {

	/**
	 * The error codes of MySQL for a character that is not in the character set of the
	 * column. They come without the SQLState of a data error.
	 */
	private static final Set<Integer> DATA_ERRORS = Set.of(1366, 3988);

	private PermanentFailures() {
	}

	static boolean isPermanent(DataAccessException ex) {
		return ex instanceof DataIntegrityViolationException || (ex.getMostSpecificCause() instanceof SQLException cause
				&& DATA_ERRORS.contains(cause.getErrorCode()));
	}

}
